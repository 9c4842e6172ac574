-- late-aliases: all paths, and one test for each that is feasible: symbolic addresses stay open while a run goes on
-- and are resolved when its whole path is solved for (Kosmatov, All-Paths Test Generation for Programs with
-- Internal Aliases). Runs do that themselves, see duct_aliases in lib/runtime; any strategy has it by
-- default, and --aliases=early or fix undoes it here as there.
return require "strategy.concolic"
