-- chain.lua DEPTH: a function f that calls a chain of others, each the next one twice: 2 ^ (DEPTH + 1) calls to be followed.
local depth = tonumber(arg[1])
for k = 0, depth do
	print(("static int f%d(int n) {\n\tint r = n, *p = &r, a[4] = { 1, n };\n\t%s\n\tif (a[n & 3] > r)\n\t\t*p = n * %d;"):format(k,
		k > 0 and ("r = f%d(n + 1);\n\tr += f%d(r);"):format(k - 1, k - 1) or "", k + 3))
	print("\ta[r & 3] = *p;\n\treturn r + a[1];\n}")
end
print("int f(int n) {\n\tint x = 1;\n\tif (n > 2)\n\t\tx = 2;\n\tif (n < 1 && x == 2)\n\t\tx = 3;\n\tif (x == 1 && n > 2)\n\t\tx = 4;")
print(("\tn = f%d(n);\n\treturn n + x;\n}"):format(depth))
