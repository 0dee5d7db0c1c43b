# Waits for the bot's arguments on standard input. Ruby loads this file before the bot.
lambda do
  input = IO.for_fd(0, "rb", autoclose: false)
  words = input.read.split("\0", -1)[0...-1]
  File.open(File::NULL, "r+") { |nothing| input.reopen(nothing) }
  ARGV.concat(words.map { |word| word.force_encoding(Encoding.find("locale")) })
end.call
