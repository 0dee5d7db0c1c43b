// Bank Heist: the banks with the one that is robbed, the heist so far, and every player.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const BANKS = ["Municipal", "City", "State", "National", "Federal Reserve"];
const WIDTH = 480, COLUMN = WIDTH / BANKS.length, TOP = 116;
const MARKS = {
  "back out": ["↩", "backs out"], "all in": ["◎", "all in"], "change jobs": ["⇄", "leaves its job"],
  "acquire intel": ["i", "intel"], "buy guard": ["⊕", "buys a guard"], deposit: ["↓", "deposits"],
  withdraw: ["↑", "withdraws"], "double cross": ["✗", "double crosses"], finger: ["☞", "fingers"],
  "carry on": ["·", "carries on"],
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
  svg.setAttribute("font-size", "12");
  const list = state?.players ?? [], columns = list.length > 12 ? 4 : 2;
  const rows = Math.ceil(list.length / columns), height = list.length > 24 ? 19 : 24;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${TOP + 18 + rows * height}`);
  if (!state) return;
  BANKS.forEach((name, bank) => drawBank(svg, name, bank, state));
  drawHeist(svg, state);
  list.forEach((player, place) => {
    const x = Math.floor(place / rows) * (WIDTH / columns), y = TOP + 12 + (place % rows) * height;
    drawPlayer(svg, x, y, WIDTH / columns, height, player, players[player.seat] ?? "", event?.seat === player.seat);
  });
}

function drawBank(svg, name, bank, state) {
  const x = bank * COLUMN, robbed = state.heisters > 0 && state.bank === bank;
  const middle = { x: x + COLUMN / 2, "text-anchor": "middle", fill: "currentColor" };
  add(svg, "path", { d: `M${x + 8} 24L${x + COLUMN / 2} 4L${x + COLUMN - 8} 24V66H${x + 8}z`,
    fill: robbed ? "#d9a520" : "currentColor", "fill-opacity": robbed ? 0.45 : 0.08,
    stroke: "currentColor", "stroke-opacity": robbed ? 0.9 : 0.3 });
  add(svg, "text", { ...middle, y: 40, "font-size": 10, "font-weight": robbed ? 700 : 400 }, name);
  const guards = sum(state.players, (player) => player.guards?.[bank]);
  const accounts = sum(state.players, (player) => player.account?.[bank]);
  const held = [guards ? `${format.format(guards)} guards` : "", accounts ? `${compact(accounts)} kept` : ""];
  add(svg, "text", { ...middle, y: 58, "font-size": 10.5 }, robbed ? "is robbed" : held.filter(Boolean).join(" "));
}

function drawHeist(svg, state) {
  const crossers = (state.players ?? []).filter((player) => player.action === "double cross").length;
  const words = [
    `Game ${format.format((state.game ?? 0) + 1)} of ${format.format(state.games ?? 0)}, round ${state.round}`,
    `${format.format(state.heisters ?? 0)} of ${format.format(state.participants ?? 0)} bet ${compact(state.total)}`,
    `${format.format(state.backed_out ?? 0)} backed out`,
    crossers ? `${crossers} double cross${state.crossed === null ? "" : state.crossed ? ": it works" : ": it fails"}` : "",
  ];
  add(svg, "text", { x: 4, y: 88, fill: "currentColor" }, words.filter(Boolean).join(" · "));
  const rabble = state.rabble ?? {};
  add(svg, "text", { x: 4, y: 106, fill: "currentColor", opacity: 0.75 },
    `${format.format(rabble.drawn ?? 0)} of the rabble take part; together they have ${compact(rabble.credits)} credits`);
}

function drawPlayer(svg, x, y, width, height, player, name, acts) {
  const [mark, title] = MARKS[player.action] ?? ["", ""];
  const fate = player.exposed ? "exposed" : player.succeeded ? "✓" : "";
  if (acts) {
    add(svg, "rect", { x: x + 1, y: y - 1, width: width - 4, height: height - 2, rx: 4, fill: "none",
      stroke: "currentColor", "stroke-width": 1.5 });
  }
  const size = height < 20 ? 10.5 : 12, letters = width > 200 ? 18 : 8, base = y + height * 0.62;
  const word = (at, text, style) => add(svg, "text", { x: at, y: base, "font-size": size, fill: "currentColor", ...style }, text);
  const shown = word(x + 5, cut(name, letters), { "font-weight": acts ? 700 : 400 });
  add(shown, "title", {}, `${name}${title ? ` ${title}` : ""}`);
  const bet = player.bet ? compact(player.bet) : "";
  word(x + width - (width > 200 ? 96 : 50), `${mark}${fate}`, { "text-anchor": "end", "font-weight": 700 });
  if (width > 200 && bet) word(x + width - 62, bet, { "text-anchor": "end", opacity: 0.75 });
  word(x + width - 6, compact(player.credits), { "text-anchor": "end" });
}

function sum(list, value) {
  return (list ?? []).reduce((total, item) => total + (value(item) ?? 0), 0);
}

function compact(number) {
  if (typeof number !== "number") return String(number ?? "–");
  for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e5, "k"]]) {
    if (number >= size) return `${(number / (unit === "k" ? 1e3 : size)).toPrecision(3)}${unit}`;
  }
  return format.format(number);
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
