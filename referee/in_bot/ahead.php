<?php
// Waits for the bot's arguments on standard input. PHP runs this file before the bot.
array_push($argv, ...array_slice(explode("\0", file_get_contents("php://stdin")), 0, -1));
$argc = count($argv);
$_SERVER["argv"] = $argv;
$_SERVER["argc"] = $argc;
$_SERVER["REQUEST_TIME_FLOAT"] = microtime(true);
$_SERVER["REQUEST_TIME"] = (int) $_SERVER["REQUEST_TIME_FLOAT"];
