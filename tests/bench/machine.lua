-- machine.lua STATES loop|once: a protocol state machine in C, for prove: in one outer loop, or the same steps once.
local states, shape = tonumber(arg[1]), arg[2]
print("extern int next(void);\nint machine(int in, int start) {\n\tint state = " .. (shape == "loop" and 0 or "start") .. ", blocked = 0, retries = 0, key = 0, error = 0;")
print(shape == "loop" and "\tfor (;;) {\n\t\tin = next();" or "\tdo {")
print("\t\tswitch (state) {")
for s = 0, states - 1 do
	local t = (s * 7 + 3) % states
	print(("\t\tcase %d:"):format(s))
	print(("\t\t\tif (in == %d) { state = %d; key = %d; }"):format(s + 1, (s + 1) % states, s % 5))
	print(("\t\t\telse if (in < 0) { blocked = %d; state = %d; }"):format(s % 3, t))
	print(("\t\t\tif (blocked == 2 && key == %d) retries = retries + 1;"):format((s + 1) % 5))
	print("\t\t\tbreak;")
end
print("\t\tdefault: error = 1; break;\n\t\t}")
if shape == "loop" then
	print("\t\tif (error || retries > 3) return state;\n\t}\n}")
else
	print("\t} while (0);\n\treturn error ? retries : key + blocked + state;\n}")
end
