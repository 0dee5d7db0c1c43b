# Flips a coin if it has one and its seed begins with an even digit; otherwise takes one.
parts <- strsplit(commandArgs(trailingOnly = TRUE)[1], ";")[[1]]
players <- strsplit(parts[-(1:3)], "_")
own <- Filter(function(player) player[1] == parts[2], players)[[1]]
even <- strtoi(substr(Sys.getenv("KOTH_BOT_SEED"), 1, 1), 16L) %% 2 == 0
cat(if (own[4] == "0") "1NN" else if (even) "FNN" else "NNN", "\n", sep = "")
