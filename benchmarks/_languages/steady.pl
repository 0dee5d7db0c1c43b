# Flips a coin if it has one and its seed begins with an even digit; otherwise takes one.
use strict;
use warnings;

my (undef, $me, undef, @players) = split /;/, $ARGV[0];
my ($own) = grep { $_->[0] eq $me } map { [split /_/] } @players;
my $even = hex(substr $ENV{KOTH_BOT_SEED}, 0, 1) % 2 == 0;
print $own->[3] == 0 ? "1NN" : $even ? "FNN" : "NNN", "\n";
