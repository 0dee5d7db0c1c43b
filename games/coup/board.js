// Coup: both hands with their coins, and the line of the turn as claims.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const CARDS = { "~": "Ambassador", "^": "Assassin", "*": "Captain", "!": "Contessa", "$": "Duke" };
const COLOURS = { "~": "#3f8f5f", "^": "#6b6f80", "*": "#2f74b5", "!": "#b5473c", "$": "#8a5ab0" };
const SYMBOLS = {
  I: "Income", F: "Foreign Aid?", E: "Ambassador! Exchange?", T: "Duke! Tax?",
  S: "Captain! Steal?", A: "Assassin! Assassinate?", C: "Coup",
  p: "pass", q: "challenge", a: "Ambassador! blocked", c: "Captain! blocked",
  d: "Duke! blocked", s: "Contessa! blocked",
  "_": "gives up the Ambassador", "'": "gives up the Assassin", "<": "gives up the Captain",
  "=": "gives up the Contessa", "0": "gives up the Duke",
  "~": "shows the Ambassador", "^": "shows the Assassin", "*": "shows the Captain",
  "!": "shows the Contessa", "$": "shows the Duke",
};
const WIDTH = 480, HAND = 104, MIDDLE = 64;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${2 * HAND + MIDDLE}`);
  svg.setAttribute("font-size", "14");
  if (!state) return;
  drawHand(svg, 0, 0, state, players);
  drawLine(svg, HAND, state, players);
  drawHand(svg, 1, HAND + MIDDLE, state, players);
}

function drawHand(svg, seat, top, state, players) {
  const acts = state.caller === seat;
  const hand = [...(state.hands?.[seat] ?? "")], coins = state.coins?.[seat] ?? 0;
  if (acts) {
    add(svg, "rect", { x: 1, y: top + 1, width: WIDTH - 2, height: HAND - 2, rx: 10, fill: "none",
      stroke: "currentColor", "stroke-width": 2, opacity: 0.55 });
  }
  add(svg, "text", { x: 14, y: top + 26, "font-weight": 600, fill: "currentColor" }, cut(players[seat], 16));
  add(svg, "text", { x: 14, y: top + 46, "font-size": 12, fill: "currentColor", opacity: 0.75 },
    acts ? "is asked now" : hand.length ? "" : "is out");
  drawCoins(svg, 14, top + 58, coins);
  add(svg, "text", { x: WIDTH - 14, y: top + 96, "font-size": 11, "text-anchor": "end",
    fill: "currentColor", opacity: 0.75 }, hand.length ? `hidden from ${cut(players[1 - seat], 16)}` : "");
  for (let place = 0; place < 2; place++) drawCard(svg, 238 + 118 * place, top + 12, hand[place]);
}

function drawCard(svg, x, y, card) {
  if (!card) {
    add(svg, "rect", { x, y, width: 110, height: 70, rx: 8, fill: "none", stroke: "currentColor",
      "stroke-dasharray": "5 4", opacity: 0.4 });
    add(svg, "text", { x: x + 55, y: y + 40, "text-anchor": "middle", "font-size": 12,
      fill: "currentColor", opacity: 0.6 }, "lost");
    return;
  }
  add(svg, "rect", { x, y, width: 110, height: 70, rx: 8, fill: COLOURS[card] });
  add(svg, "text", { x: x + 55, y: y + 40, "text-anchor": "middle", fill: "#fff", "font-weight": 600 },
    CARDS[card]);
}

function drawCoins(svg, x, y, coins) {
  for (let coin = 0; coin < Math.min(coins, 12); coin++) {
    add(svg, "circle", { cx: x + 7 + 14 * coin, cy: y + 10, r: 7, fill: "#d9a520",
      stroke: "#8a6508", "stroke-width": 1.5 });
  }
  add(svg, "text", { x, y: y + 36, "font-size": 12, fill: "currentColor" },
    `${coins} ${coins === 1 ? "coin" : "coins"}`);
}

// The line of the turn; between two turns that of the last one, dimmed.
function drawLine(svg, top, state, players) {
  const history = state.history ?? "", open = state.line ?? "";
  const line = open || (history.trimEnd().split("\n").at(-1) ?? "");
  const words = [...line].map((symbol) => SYMBOLS[symbol] ?? symbol);
  const text = words.join(" · ") || "The first turn";
  const owner = open ? players[state.turn_of] : "";
  add(svg, "rect", { x: 0, y: top + 8, width: WIDTH, height: MIDDLE - 16, rx: 8, fill: "currentColor",
    opacity: 0.07 });
  add(svg, "text", { x: 14, y: top + 28, "font-size": 12, fill: "currentColor", opacity: 0.75 },
    open ? `Turn of ${cut(owner, 24)}` : "The turn before");
  add(svg, "text", { x: WIDTH - 14, y: top + 28, "font-size": 12, "text-anchor": "end",
    fill: "currentColor", opacity: 0.75 }, `${(state.deck ?? "").length} cards in the deck`);
  const shown = add(svg, "text", { x: 14, y: top + 47, fill: "currentColor", opacity: open ? 1 : 0.6 }, text);
  if (text.length > 62) shown.setAttribute("textLength", WIDTH - 28);
  if (text.length > 62) shown.setAttribute("lengthAdjust", "spacingAndGlyphs");
  if (state.offered) {
    const cards = [...state.offered].map((card) => CARDS[card]).join(" and ");
    add(svg, "text", { x: 14, y: top + HAND + MIDDLE - 6, "font-size": 12, fill: "currentColor" },
      `Drawn to choose from: ${cards}`);
  }
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
