-- Questions that a generated main asks: questions(draw, pick, words) -> list; each, given its number, returns text and a
-- function that adds what a run may have for it to { env =, args =, stdin =, files = }.
return function(draw, pick, words)
	return {
		function(n)
			local b = draw(1, 6)
			return ("\tif (argc > %d)\n\t\tr += 1;\n"):format(b), function(run) for _ = 1, draw(0, b + 2) do run.args[#run.args + 1] = pick(words) end end
		end,
		function(n)
			local i, b = draw(1, 3), pick { 3, 9, 17, 30 }
			return ("\tif (argc > %d && strlen(argv[%d]) > %d)\n\t\tr += 2;\n"):format(i, i, b),
				function(run) for _ = 1, i do run.args[#run.args + 1] = ("x"):rep(draw(1, 3 * b)) end end
		end,
		function(n)
			local i, w = draw(1, 3), pick(words)
			return ("\tif (argc > %d && strcmp(argv[%d], \"%s\") == 0)\n\t\tr += 3;\n"):format(i, i, w),
				function(run) for _ = 1, i do run.args[#run.args + 1] = draw(1, 2) == 1 and w or pick(words) end end
		end,
		function(n)
			local b = pick { 3, 17, 99 }
			return ("\tconst char *e%d = getenv(\"GEN_%d\");\n\n\tif (e%d && atoi(e%d) > %d)\n\t\tr += 4;\n\tif (e%d && strlen(e%d) > %d)\n\t\tr += 5;\n")
				:format(n, n, n, n, b, n, n, b), function(run)
					if draw(1, 3) > 1 then run.env[#run.env + 1] = ("GEN_%d=%s"):format(n, draw(1, 2) == 1 and draw(0, 3 * b) or ("y"):rep(draw(0, 2 * b))) end
				end
		end,
		function(n)
			local b = pick { 2, 9, 20, 40 }
			return ("\tint c%d, n%d = 0;\n\n\twhile ((c%d = getchar()) != EOF) {\n\t\tif (c%d == '\\n')\n\t\t\tbreak;\n\t\tn%d++;\n\t}\n\tif (n%d > %d)\n\t\tr += 6;\n")
				:format(n, n, n, n, n, n, b), function(run) run.stdin = run.stdin .. ("q"):rep(draw(0, 2 * b)) .. (draw(1, 3) > 1 and "\\n" or "") end
		end,
		function(n)
			local w = pick(words)
			return ("\tchar l%d[64];\n\n\tif (fgets(l%d, sizeof l%d, stdin) && strcmp(l%d, \"%s\\n\") == 0)\n\t\tr += 7;\n"):format(n, n, n, n, w),
				function(run) run.stdin = run.stdin .. (draw(1, 2) == 1 and w or pick(words)):gsub("^%-", "\\055") .. "\\n" end
		end,
		function(n)
			local b = pick { 0, 4, 20 }
			return ("\tFILE *f%d = fopen(\"file%d\", \"r\");\n\tint k%d = 0;\n\n\tif (f%d) {\n\t\twhile (getc(f%d) != EOF)\n\t\t\tk%d++;\n\t\tif (k%d > %d)\n\t\t\tr += 8;\n\t}\n")
				:format(n, n, n, n, n, n, n, b), function(run) if draw(1, 3) > 1 then run.files[n] = ("z"):rep(draw(0, 2 * b + 2)) end end
		end,
		function(n)
			return "\tif (getpid() & 1)\n\t\tr += 9;\n", function() end
		end,
		function(n)
			return "\tif (time(0) < 1000)\n\t\tr += 10;\n", function() end
		end,
		function(n)
			return "\tif (isatty(0))\n\t\tr += 11;\n", function() end
		end,
		-- options
		function(n)
			local b = draw(2, 40)
			return ("\tint o%d, v%d = 0;\n\n\twhile ((o%d = getopt(argc, argv, \"ab:v\")) != -1) {\n\t\tif (o%d == 'v' && ++v%d > 1)\n\t\t\tr += 12;\n\t\tif (o%d == 'b' && atoi(optarg) > %d)\n\t\t\tr += 13;\n\t}\n\tif (optind + 1 < argc)\n\t\tr += 14;\n")
				:format(n, n, n, n, n, n, b), function(run)
					for _ = 1, draw(0, 4) do run.args[#run.args + 1] = pick { "-v", "-vv", "-a", "-b 3", "-b41", "x", "-q", "--" } end
				end
		end,
		function(n)
			return ("\tconst char *s%d = strrchr(argv[0], '/');\n\n\tif (s%d && s%d[1] == 'q')\n\t\tr += 15;\n"):format(n, n, n), function() end
		end,
		-- standard input in other ways
		function(n)
			local b = pick { 7, 42, 1000 }
			return ("\tint i%d = 0, k%d = 0;\n\n\twhile (scanf(\"%%d\", &i%d) == 1)\n\t\tk%d++;\n\tif (k%d > %d)\n\t\tr += 16;\n\tif (i%d == %d)\n\t\tr += 17;\n")
				:format(n, n, n, n, n, draw(1, 9), n, b), function(run)
					for _ = 1, draw(0, 12) do run.stdin = run.stdin .. (draw(1, 3) == 1 and b or draw(1, 9)) .. " " end
				end
		end,
		function(n)
			local how = pick { "read(0, b%d, sizeof b%d)", "(long)syscall(SYS_read, 0, b%d, sizeof b%d)",
				"readv(0, &(struct iovec){ b%d, sizeof b%d }, 1)", "(long)fread(b%d, 1, sizeof b%d, stdin)",
				"(long)fread(b%d, 1, sizeof b%d, fdopen(dup(0), \"r\"))", "read(open(\"/proc/self/fd/0\", O_RDONLY), b%d, sizeof b%d)" }
			return ("\tchar b%d[30];\n\tlong k%d = " .. how .. ";\n\n\tif (k%d > %d)\n\t\tr += 18;\n\tif (k%d > 0 && b%d[0] == 'q')\n\t\tr += 19;\n")
				:format(n, n, n, n, n, draw(1, 25), n, n), function(run) run.stdin = run.stdin .. ("q"):rep(draw(0, 40)) end
		end,
		function(n)
			return ("\tsetvbuf(stdin, NULL, _IONBF, 0);\n\twint_t w%d = getwchar();\n\n\tif (w%d == L'q')\n\t\tr += 20;\n\tif (w%d == WEOF)\n\t\tr += 21;\n"):format(n, n, n),
				function(run) run.stdin = run.stdin .. ("q"):rep(draw(0, 2)) end
		end,
		function(n)
			local b = pick { 3, 20, 50 }
			return ("\tchar *l%d = NULL;\n\tsize_t s%d = 0;\n\tint k%d = 0;\n\n\twhile (getline(&l%d, &s%d, stdin) > 0) {\n\t\tk%d++;\n\t\tif (strlen(l%d) > %d)\n\t\t\tr += 22;\n\t}\n\tif (k%d > 3)\n\t\tr += 23;\n")
				:format(n, n, n, n, n, n, n, b, n), function(run)
					for _ = 1, draw(0, 6) do run.stdin = run.stdin .. ("l"):rep(draw(0, 2 * b)) .. "\\n" end
				end
		end,
		-- files
		function(n)
			return ("\tstruct stat t%d;\n\n\tif (stat(\"file%d\", &t%d) == 0 && t%d.st_size > 3)\n\t\tr += 24;\n\tif (access(\"file%d\", R_OK) != 0)\n\t\tr += 25;\n")
				:format(n, n, n, n, n), function(run) if draw(1, 2) > 1 then run.files[n] = ("z"):rep(draw(0, 9)) end end
		end,
		function(n)
			local w = pick { "on", "off", "key" }
			return ("\tFILE *f%d = fopen(\"file%d\", \"r\");\n\tchar l%d[80];\n\n\twhile (f%d && fgets(l%d, sizeof l%d, f%d)) {\n\t\tchar *e%d = strchr(l%d, '=');\n\n\t\tif (e%d && strncmp(l%d, \"%s\", %d) == 0)\n\t\t\tr += 26;\n\t}\n")
				:format(n, n, n, n, n, n, n, n, n, n, n, w, #w), function(run)
					if draw(1, 3) > 1 then run.files[n] = pick { "on=1\\n", "x\\n\\noff=2\\n", "key\\nkey=3", "", "=\\n" } end
				end
		end,
		-- processes, pipes
		function(n)
			return ("\tint s%d = 0;\n\tpid_t p%d = fork();\n\n\tif (p%d == 0)\n\t\t_exit(argc > 2 ? 3 : argc);\n\twaitpid(p%d, &s%d, 0);\n\tif (WIFEXITED(s%d) && WEXITSTATUS(s%d) == 3)\n\t\tr += 27;\n")
				:format(n, n, n, n, n, n, n), function(run) for _ = 1, draw(0, 3) do run.args[#run.args + 1] = pick(words) end end
		end,
		function(n)
			return ("\tint p%d[2];\n\tchar c%d = 'x';\n\n\tif (pipe(p%d) == 0) {\n\t\twritev(p%d[1], &(struct iovec){ argc > 1 ? argv[1] : \"n\", 1 }, 1);\n\t\tread(p%d[0], &c%d, 1);\n\t}\n\tif (c%d == 'y')\n\t\tr += 28;\n")
				:format(n, n, n, n, n, n, n), function(run) for _ = 1, draw(0, 3) do run.args[#run.args + 1] = pick(words) end end
		end,
		function(n)
			return ("\tFILE *p%d = popen(\"echo $GEN_P%d\", \"r\");\n\tint c%d = p%d ? getc(p%d) : EOF;\n\n\tif (c%d == 'y')\n\t\tr += 29;\n"):format(n, n, n, n, n, n),
				function(run) if draw(1, 2) > 1 then run.env[#run.env + 1] = ("GEN_P%d=yes"):format(n) end end
		end,
		function(n)
			return ("\tint *m%d = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n\n\tif (fork() == 0) {\n\t\t*m%d = argc;\n\t\t_exit(0);\n\t}\n\twait(NULL);\n\tif (*m%d > 2)\n\t\tr += 30;\n")
				:format(n, n, n), function(run) for _ = 1, draw(0, 3) do run.args[#run.args + 1] = pick(words) end end
		end,
		-- the machine
		function(n)
			return ("\tsrand((unsigned)time(NULL));\n\tif (rand() %% 3 == 1)\n\t\tr += 31;\n\tif (sysconf(_SC_NPROCESSORS_ONLN) > %d)\n\t\tr += 32;\n"):format(draw(0, 3)), function() end
		end,
		function(n)
			return ("\tchar d%d[4096];\n\n\tif (getcwd(d%d, sizeof d%d) && strlen(d%d) > %d)\n\t\tr += 33;\n\tif (getuid() == 0)\n\t\tr += 34;\n"):format(n, n, n, n, pick { 1, 20, 300 }), function() end
		end,
		function(n)
			return ("\tstatic int seen%d;\n\n\tif (signal(SIGUSR1, SIG_IGN) == SIG_ERR)\n\t\tr += 35;\n\tif (getenv(\"HOME\") && strcmp(getenv(\"HOME\"), \"/nowhere\") == 0)\n\t\tseen%d++; /* def seen%d */\n\tif (seen%d)\n\t\tr += seen%d; /* use seen%d */\n")
				:format(n, n, n, n, n, n), function(run) if draw(1, 2) == 1 then run.env[#run.env + 1] = "HOME=/nowhere" end end
		end,
	}
end
