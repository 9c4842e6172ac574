-- duct completion bash|zsh|fish: a completion script, generated from the tables that define the command line.
local core = require "duct.core"
local names = require "duct.names"
local program = require "duct.program"

local scripts = {
	bash = [[
_duct()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} list=
	COMPREPLY=()
	[ "$word" = = ] && word=
	[ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}
	if [ "$COMP_CWORD" = 1 ]; then
		list='@first'
	else
		case $before in
@values
		esac
		case $list$word in -*)
			case ${COMP_WORDS[1]} in
@commands
			*) list='@options' ;;
			esac
		esac
	fi
	[ -n "$list" ] && COMPREPLY=($(compgen -W "$list" -- "$word"))
}
complete -o default -F _duct duct
]],
	zsh = [[
#compdef duct
local before=${words[CURRENT-1]}
if (( CURRENT == 2 )); then
	compadd -- @first
else
	case $before in
@values
	esac
	case $PREFIX in
	-*)
		case ${words[2]} in
@commands
		*) compadd -- @options ;;
		esac ;;
	*) _files ;;
	esac
fi
]],
}
local lines = {
	bash = { values = "\t\t%s) list='%s' ;;", commands = "\t\t\t%s) list='%s' ;;" },
	zsh = { values = "\t%s) compadd -- %s; return ;;", commands = "\t\t%s) compadd -- %s ;;" },
}

-- The long options in the --help of a filter.
local function options_of(filter)
	local path, list, seen = core.home("libexec", filter), {}, {}
	local f <close> = assert(io.popen(program.quoted(path or "false") .. " --help"))
	for option in f:read("a"):gmatch("%f[%S]%-%-(%l[%l-]*)") do
		if not seen[option] then
			seen[option] = true
			list[#list + 1] = option
		end
	end
	return list
end

local function dashed(list)
	local words = { "--help" }
	for _, name in ipairs(list or {}) do
		words[#words + 1] = name ~= "help" and "--" .. name or nil
	end
	return words
end

-- The first word completes to commands; further ones to the options of the command and their values.
local function fish(first, commands, strategies, values)
	print("complete -c duct -f -n __fish_use_subcommand -a '" .. table.concat(first, " ") .. "'")
	print("complete -c duct -F -n 'not __fish_use_subcommand'")
	local function of(words, options)
		for _, option in ipairs(options) do
			local name = option:match("^%-%-(.*)")
			print(("complete -c duct -n '__fish_seen_subcommand_from %s' -l %s%s"):format(words, name,
				values[name] and (" -x -a '%s'"):format(table.concat(values[name], " ")) or ""))
		end
	end
	for _, c in ipairs(commands) do
		of(c.name, c.options)
	end
	of(table.concat(names.list("strategy"), " "), strategies)
end

return program.protected(function(o)
	local shell = o.files and o.files[1] or ""
	if not scripts[shell] and shell ~= "fish" or #o.files > 1 then
		program.fail(2, "completion is for bash, zsh or fish: duct completion bash")
	end
	local values = { search = names.list("search"), keep = { "all", "new" }, aliases = { "late", "la", "early", "fix" },
		input = { "time", "random", "short" }, ["fail-on"] = { "finding", "unknown" }, check = names.checks,
		layers = { "none" } }
	for option, list in pairs(names.choices) do
		values[option] = list
	end
	local first, commands, strategies = names.list("strategy"), {}, dashed(o["options strategy"])
	for _, name in ipairs(o.command_names) do
		first[#first + 1] = name
		commands[#commands + 1] = { name = name, options = dashed(o["options " .. name]) }
	end
	for _, name in ipairs(o.filter_names) do
		first[#first + 1] = name
		commands[#commands + 1] = { name = name, options = dashed(options_of(name)) }
	end
	if shell == "fish" then
		fish(first, commands, strategies, values)
		return 0
	end
	local told = { values = {}, commands = {} }
	for _, option in ipairs(o.option_names) do
		if values[option] then
			table.insert(told.values, lines[shell].values:format("--" .. option, table.concat(values[option], " ")))
		end
	end
	for _, c in ipairs(commands) do
		table.insert(told.commands, lines[shell].commands:format(c.name, table.concat(c.options, " ")))
	end
	local text = scripts[shell]:gsub("@(%l+)", { first = table.concat(first, " "),
		values = table.concat(told.values, "\n"), commands = table.concat(told.commands, "\n"),
			options = table.concat(strategies, " ") })
	io.write(text)
	return 0
end)
