# Waits for the bot's arguments on standard input. R reads this file as the user's profile, before
# the bot; a bot with a profile or variables of its own ends this program before it reads.
local({
  if (any(file.exists(c(".Rprofile", ".Renviron")))) quit("no", 1)
  Sys.unsetenv(c("R_PROFILE_USER", "R_ENVIRON_USER"))
  base::.First.sys() # attaches the default packages, as R does after the profile
  input <- file("stdin", "rb")
  data <- raw()
  while (length(more <- readBin(input, raw(), 65536L))) data <- c(data, more)
  close(input)
  ends <- which(data == 0)
  begins <- c(1L, ends + 1L)[seq_along(ends)]
  words <- mapply(function(begin, end) rawToChar(data[seq_len(end - begin) + begin - 1L]), begins, ends)
  all <- commandArgs()
  if (length(words)) all <- c(all, if (!("--args" %in% all)) "--args", as.character(words))
  own <- base::commandArgs
  body(own)[[2]][[3]] <- all # in place of .Internal(commandArgs())
  unlockBinding("commandArgs", baseenv())
  assign("commandArgs", own, baseenv())
  lockBinding("commandArgs", baseenv())
})
