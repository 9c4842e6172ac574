-- outside: what a program asks of what is around it and is no input here, as lines `limit KIND VALUE NAME` (lib/limits).
local asks = {
	stdin = [[getchar getc fgetc fgets gets scanf fscanf vscanf getline getdelim fread read getwchar fgetwc fgetws
		getchar_unlocked getc_unlocked fgets_unlocked fread_unlocked readv __isoc99_scanf __isoc99_fscanf
		__isoc23_scanf __isoc23_fscanf]],
	env = "getenv secure_getenv",
	file = [[fopen fopen64 open open64 openat creat freopen opendir stat lstat fstatat access fdopen popen mkstemp
		readdir getcwd chdir realpath]],
	["concrete-time"] = "time clock gettimeofday clock_gettime times ftime timespec_get nanosleep sleep",
	["concrete-random"] = "rand rand_r random drand48 erand48 lrand48 nrand48 mrand48 jrand48 arc4random arc4random_uniform getrandom getentropy",
	concrete = [[getpid getppid getuid geteuid getgid getegid isatty ttyname sysconf gethostname uname getrlimit
		getrusage getlogin getpwuid getpwnam fork vfork wait waitpid system socket recv recvfrom accept select poll
		sigaction signal setlocale localeconv localtime localtime_r mktime ctime strftime syscall]],
}
local kind_of = {}
for kind, names in pairs(asks) do
	for name in names:gmatch("%S+") do
		kind_of[name] = kind
	end
end

local function has_group(o, group)
	for _, list in ipairs(o.input or {}) do
		if ("," .. list .. ","):find("," .. group .. ",", 1, true) then
			return true
		end
	end
end

-- NAME=SIZE of an option, or the kind alone.
local function sized(list, options, kind)
	for _, option in ipairs(options or {}) do
		local name, size = option:match("^(.*)=(%d+)$")
		if name then
			list[#list + 1] = ("limit %s %s %s"):format(kind, size, name)
		end
	end
end

-- The entry main gets arguments when it takes them.
local function arguments(o, flow, list)
	if (o.entry or "main") == "main" and flow:takes_arguments() then
		list[#list + 1] = ("limit args %d"):format(math.max(#(o.arg or {}), #(o.argv or {})))
		sized(list, o.arg, "arg")
	end
end

-- calls: names of functions that the program calls and does not define.
return function(o, flow, calls)
	local list, seen = {}, {}
	arguments(o, flow, list)
	for _, name in ipairs(calls) do
		local kind = kind_of[name]
		local answered = kind and has_group(o, kind:gsub("^concrete%-", ""))
		if kind == "stdin" and not seen.stdin then
			list[#list + 1] = ("limit stdin %d"):format(o.stdin or 0)
		elseif (kind == "env" or kind == "file") and not seen[kind] then
			list[#list + 1] = ("limit %s 0"):format(kind)
			sized(list, o[kind], kind)
		elseif kind and kind:find("^concrete") and not answered then
			list[#list + 1] = ("limit %s 0 %s"):format(kind, name)
		end
		seen[kind or ""] = true
	end
	return #list == 0 and "" or table.concat(list, "\n") .. "\n"
end
