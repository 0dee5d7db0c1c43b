// Bank Heist: the banks with the one that is robbed, the heist so far, and the players.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const BANKS = ["Municipal", "City", "State", "National", "Federal Reserve"];
const WIDTH = 360, COLUMN = WIDTH / BANKS.length, TOP = 84, LINE = 16, ROW = 18, LISTED = 16, NAMED = 6;
const ACTIONS = {
  "back out": ["↩", "backs out"], "all in": ["◎", "all in"], "change jobs": ["⇄", "leaves its job"],
  "acquire intel": ["i", "intel"], "buy guard": ["⊕", "buys a guard"], deposit: ["↓", "deposits"],
  withdraw: ["↑", "withdraws"], "double cross": ["✗", "double crosses"], finger: ["☞", "fingers"],
  "carry on": ["→", "carries on"],
};
const FATES = { "!": "is exposed", "✓": "succeeds" };
const TILES = {
  robs: ["#d9a520", 0.9, "bets"], succeeds: ["#0f8f6c", 0.9, "succeeds"],
  leaves: ["currentColor", 0.4, "backs out"], waits: ["currentColor", 0.12, "no bet"],
};

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

const format = new Intl.NumberFormat("en");

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("font-size", "11.5");
  svg.setAttribute("fill", "currentColor");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${TOP + 4 * LINE}`);
  svg.setAttribute("aria-label", state ? words(state, players) : "The match has not begun.");
  if (!state) return;
  BANKS.forEach((name, bank) => drawBank(svg, name, bank, state));
  const lines = summary(state, players), below = TOP + LINE * lines.length;
  lines.forEach((line, place) => fit(add(svg, "text",
    { x: 2, y: TOP + 6 + LINE * place, opacity: place ? 0.8 : 1 }, line), WIDTH - 4));
  const list = state.players ?? [], many = list.length > LISTED;
  const top = many ? drawTiles(svg, below, list, event) : below;
  const bottom = drawList(svg, top, list, event, players);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${bottom}`);
}

// The state in words, for those who do not see the board.
function words(state, players) {
  const rich = [...(state.players ?? [])].sort((a, b) => b.credits - a.credits).slice(0, NAMED);
  const owned = rich.map((player) => `${players[player.seat]} ${compact(player.credits)}`);
  const robbed = state.heisters > 0 ? `The ${BANKS[state.bank]} bank is robbed.` : "No bank is robbed yet.";
  return [robbed, ...summary(state, players).map((line) => `${line}.`), `Most credits: ${owned.join(", ")}.`].join(" ");
}

function summary(state, players) {
  const named = (test) => listed((state.players ?? []).filter(test).map((player) => players[player.seat]));
  const crossers = named((player) => player.action === "double cross");
  const exposed = named((player) => player.exposed), succeeded = named((player) => player.succeeded);
  const crossed = state.crossed === null ? "" : state.crossed ? ", it works" : ", it fails";
  const rabble = state.rabble ?? {};
  return [
    `Game ${format.format((state.game ?? 0) + 1)} of ${format.format(state.games ?? 0)}, round ${state.round}: `
      + `${format.format(state.heisters ?? 0)} of ${format.format(state.participants ?? 0)} bet ${compact(state.total)}`
      + (state.backed_out ? `, ${format.format(state.backed_out)} ${state.backed_out === 1 ? "backs" : "back"} out` : ""),
    `Double cross: ${crossers || "nobody"}${crossed}`,
    ...(exposed ? [`Exposed: ${exposed}`] : []),
    `Succeed: ${succeeded || "nobody"}`,
    `${format.format(rabble.drawn ?? 0)} of the rabble ${rabble.drawn === 1 ? "takes" : "take"} part; it has ${compact(rabble.credits)} credits`,
  ];
}

function drawBank(svg, name, bank, state) {
  const x = bank * COLUMN, robbed = state.heisters > 0 && state.bank === bank;
  const middle = { x: x + COLUMN / 2, "text-anchor": "middle" };
  add(svg, "path", { d: `M${x + 2} 20L${x + COLUMN / 2} 2L${x + COLUMN - 2} 20V72H${x + 2}z`,
    fill: robbed ? "#d9a520" : "currentColor", "fill-opacity": robbed ? 0.45 : 0.07,
    stroke: "currentColor", "stroke-opacity": robbed ? 0.9 : 0.25 });
  const guards = sum(state.players, (player) => player.guards?.[bank]);
  const accounts = sum(state.players, (player) => player.account?.[bank]);
  const lines = [...name.split(" ").map((word) => [word, robbed ? 700 : 500]),
    ...(robbed ? [["is robbed", 400]] : []),
    ...(guards ? [[`${format.format(guards)} ${guards === 1 ? "guard" : "guards"}`, 400]] : []),
    ...(accounts ? [[`${compact(accounts)} kept`, 400]] : [])];
  lines.slice(0, 4).forEach(([text, weight], place) => add(svg, "text",
    { ...middle, y: 30 + 12.5 * place, "font-size": 10.5, "font-weight": weight }, text));
}

function tileOf(player) {
  if (!player.bet) return TILES.waits;
  if (player.action === "back out") return TILES.leaves;
  return player.succeeded ? TILES.succeeds : TILES.robs;
}

// All players as tiles by seat, because the list below has only some of them. Returns the bottom.
function drawTiles(svg, top, list, event) {
  const size = list.length <= 90 ? 12 : 6, columns = WIDTH / size;
  list.forEach((player, place) => {
    const [fill, opacity] = tileOf(player), acts = event?.seat === player.seat;
    const crosses = player.action === "double cross";
    add(svg, "rect", { x: (place % columns) * size + 1, y: top + Math.floor(place / columns) * size + 1,
      width: size - 2, height: size - 2, fill, "fill-opacity": opacity,
      stroke: acts ? "currentColor" : crosses ? "#d0454f" : "none", "stroke-width": 2 });
  });
  const y = top + Math.ceil(list.length / columns) * size + 14;
  let x = 2;
  for (const [fill, opacity, word] of [...Object.values(TILES), ["none", 1, "double crosses"]]) {
    add(svg, "rect", { x, y: y - 9, width: 9, height: 9, fill, "fill-opacity": opacity,
      stroke: fill === "none" ? "#d0454f" : "none", "stroke-width": 2 });
    add(svg, "text", { x: x + 13, y, "font-size": 10.5 }, word);
    x += 26 + 5.6 * word.length;
  }
  return y + 8;
}

// The players with bet, action and credits: all, or the part that holds the one who acts.
function drawList(svg, top, list, event, players) {
  const at = Math.max(0, list.findIndex((player) => player.seat === event?.seat));
  const first = LISTED * Math.floor(at / LISTED), part = list.slice(first, first + LISTED);
  const rows = Math.ceil(part.length / 2), used = new Set();
  const marks = { ...Object.fromEntries(Object.values(ACTIONS)), ...FATES };
  part.forEach((player, place) => {
    const x = place < rows ? 0 : WIDTH / 2 + 4;
    drawPlayer(svg, x, top + 26 + (place % rows) * ROW, player, players, event?.seat === player.seat);
    for (const mark of marksOf(player)) used.add(mark);
  });
  const small = { "font-size": 10.5, opacity: 0.75 };
  for (const x of part.length > 1 ? [0, WIDTH / 2 + 4] : [0]) {
    add(svg, "text", { ...small, x: x + 128, y: top + 11, "text-anchor": "end" }, "bet");
    add(svg, "text", { ...small, x: x + 174, y: top + 11, "text-anchor": "end" }, "credits");
  }
  if (part.length < list.length) {
    add(svg, "text", { ...small, x: 2, y: top + 11 }, `${first + 1}–${first + part.length} of ${list.length}`);
  }
  const legend = Object.entries(marks).filter(([mark]) => used.has(mark)).map((entry) => entry.join(" "));
  const lines = wrapped(legend, 58), bottom = top + 26 + rows * ROW;
  lines.forEach((line, place) => add(svg, "text", { ...small, x: 2, y: bottom + 2 + 14 * place }, line));
  return bottom + 14 * Math.max(1, lines.length);
}

// The signs for what a player does, and for how it ends.
function marksOf(player) {
  const [mark] = ACTIONS[player.action] ?? [], fate = player.exposed ? "!" : player.succeeded ? "✓" : undefined;
  return [mark, fate].filter(Boolean);
}

function drawPlayer(svg, x, y, player, players, acts) {
  if (acts) {
    add(svg, "rect", { x, y: y - 13, width: WIDTH / 2 - 4, height: ROW - 1, rx: 3, opacity: 0.12 });
  }
  const word = (at, text, style) => add(svg, "text", { x: x + at, y, "font-size": 11,
    "font-weight": acts ? 700 : 400, ...style }, text);
  const name = word(3, cut(players[player.seat] ?? "", 14));
  fit(name, 72);
  add(name, "title", {}, players[player.seat] ?? "");
  word(88, marksOf(player).join(""), { "text-anchor": "middle", "font-weight": 700 });
  word(128, player.bet ? compact(player.bet) : "", { "text-anchor": "end", opacity: 0.75 });
  word(174, compact(player.credits), { "text-anchor": "end" });
}

function sum(list, value) {
  return (list ?? []).reduce((total, item) => total + (value(item) ?? 0), 0);
}

function listed(names) {
  const more = names.length - 3;
  return `${names.slice(0, 3).map((name) => cut(name, 12)).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function wrapped(words, letters) {
  const lines = [];
  for (const word of words) {
    const longer = lines.length ? `${lines.at(-1)} · ${word}` : word;
    if (lines.length && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function compact(number) {
  if (typeof number !== "number") return String(number ?? "–");
  for (const [size, unit] of [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e5, "k"]]) {
    if (number >= size) return `${digits(number / (unit === "k" ? 1e3 : size))}${unit}`;
  }
  return format.format(number);
}

// Three digits; a number that would round up to 1,000 stays below it, as in a terminal.
function digits(number) {
  return Math.min(number, 999).toPrecision(3);
}

// Squeezes a text that is wider than its place, such as one of Chinese letters.
function fit(text, width) {
  if (text.getComputedTextLength() > width) {
    text.setAttribute("textLength", width);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
