# Waits for the bot's arguments on standard input. Perl loads this file before the bot.
package KothAhead;

sub import {
    my ($error, $words) = ($!, '');
    shift @main::INC;    # the folder of this file
    delete $main::INC{'KothAhead.pm'};
    1 while sysread STDIN, $words, 1 << 16, length $words;
    sysopen STDIN, '/dev/null', 2;    # for reading and writing
    push @main::ARGV, split /\0/, $words, -1;
    pop @main::ARGV;
    $^T = time;
    delete @main::{'KothAhead::', 'BEGIN', '__ANON__', "\x14"};
    $! = $error;
}

1;
