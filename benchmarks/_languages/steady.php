<?php
// Flips a coin if it has one and its seed begins with an even digit; otherwise takes one.
$parts = explode(";", $argv[1]);
$unflipped = "0";
foreach (array_slice($parts, 3) as $seat) {
    $player = explode("_", $seat);
    if ($player[0] === $parts[1]) {
        $unflipped = $player[3];
    }
}
$even = hexdec(getenv("KOTH_BOT_SEED")[0]) % 2 === 0;
echo $unflipped === "0" ? "1NN" : ($even ? "FNN" : "NNN"), "\n";
