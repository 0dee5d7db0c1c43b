# Flips a coin if it has one and its seed begins with an even digit; otherwise takes one.
_round, me, _centre, *players = ARGV[0].split(";")
unflipped = players.map { |seat| seat.split("_") }.find { |seat| seat[0] == me }[3].to_i
even = ENV["KOTH_BOT_SEED"][0].to_i(16).even?
puts unflipped.zero? ? "1NN" : even ? "FNN" : "NNN"
