-- duct completion bash|zsh|fish: what a shell offers behind `duct`, from the same tables that read the command line.
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
@cases
		esac
		if [ -z "$list" ]; then
			case $word in -*) list='@options' ;; esac
		fi
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
@cases
	esac
	case $PREFIX in -*) compadd -- @options ;; *) _files ;; esac
fi
]],
}

-- A line an option; words of commands are offered first.
local function fish(first, options, values)
	print("complete -c duct -f -n __fish_use_subcommand -a '" .. table.concat(first, " ") .. "'")
	print("complete -c duct -F -n 'not __fish_use_subcommand'")
	for _, option in ipairs(options) do
		local name = option:match("^%-%-(.*)")
		print(("complete -c duct -n 'not __fish_use_subcommand' -l %s%s"):format(name,
			values[name] and (" -x -a '%s'"):format(table.concat(values[name], " ")) or ""))
	end
end

local case = {
	bash = "\t\t%s) list='%s' ;;",
	zsh = "\t%s) compadd -- %s; return ;;",
}

return program.protected(function(o)
	local shell = o.files and o.files[1] or ""
	if not scripts[shell] and shell ~= "fish" or #o.files > 1 then
		program.fail(2, "completion is for bash, zsh or fish: duct completion bash")
	end
	local values = { search = names.list("search"), keep = { "all", "new" }, aliases = { "late", "early", "fix" },
		input = { "time", "random", "short" }, ["fail-on"] = { "finding", "unknown" }, check = names.checks, layers = { "none" } }
	for option, list in pairs(names.choices) do
		values[option] = list
	end
	local options, cases, first = { "--help" }, {}, names.list("strategy")
	for _, name in ipairs(o.option_names) do
		options[#options + 1] = "--" .. name
		if values[name] and shell ~= "fish" then
			cases[#cases + 1] = case[shell]:format("--" .. name, table.concat(values[name], " "))
		end
	end
	table.move(o.command_names, 1, #o.command_names, #first + 1, first)
	if shell == "fish" then
		fish(first, options, values)
		return 0
	end
	local text = scripts[shell]:gsub("@(%l+)", { first = table.concat(first, " "), cases = table.concat(cases, "\n"),
		options = table.concat(options, " ") })
	io.write(text)
	return 0
end)
