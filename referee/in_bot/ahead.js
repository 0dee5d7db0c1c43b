// Waits for the bot's arguments on standard input. Node loads this module before the bot.
"use strict";
const fs = require("fs");

const buffer = Buffer.alloc(1 << 17);
let size = 0;
for (let more; (more = fs.readSync(0, buffer, size, buffer.length - size, null)) > 0; ) {
  size += more;
}
fs.closeSync(0);
fs.openSync("/dev/null", "r+"); // takes the free number 0
process.argv.push(...buffer.toString("utf8", 0, size).split("\0").slice(0, -1));
process.execArgv.length = 0;
process._preload_modules.length = 0;
delete require.cache[__filename];
