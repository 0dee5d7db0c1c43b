// Flips a coin if it has one and its seed begins with an even digit; otherwise takes one.
const [, me, , ...players] = process.argv[2].split(";");
const unflipped = Number(players.map((seat) => seat.split("_")).find((seat) => seat[0] === me)[3]);
const even = parseInt(process.env.KOTH_BOT_SEED[0], 16) % 2 === 0;
console.log(unflipped === 0 ? "1NN" : even ? "FNN" : "NNN");
