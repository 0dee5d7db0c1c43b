<?php
// Waits for the bot's arguments on standard input. PHP runs this file before the bot.
(function (): void {
    $words = explode("\0", stream_get_contents(STDIN), -1);
    $GLOBALS["argv"] = $_SERVER["argv"] = [...$_SERVER["argv"], ...$words];
    $GLOBALS["argc"] = $_SERVER["argc"] = count($_SERVER["argv"]);
})();
