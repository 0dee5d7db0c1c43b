// Coup: both hands with their coins, and the line of the turn as claims.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const CARDS = { "~": "Ambassador", "^": "Assassin", "*": "Captain", "!": "Contessa", "$": "Duke" };
const COLOURS = { "~": "#2f7a4c", "^": "#5d6172", "*": "#2a69a3", "!": "#a93c32", "$": "#7d4da4" };
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
const WIDTH = 360, HAND = 98, MIDDLE = 78, CARD = { width: 94, height: 60 }, LETTERS = 44;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("fill", "currentColor");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${2 * HAND + MIDDLE}`);
  svg.setAttribute("font-size", "13");
  const asked = state && !isOver(state, event) ? state.caller : null;
  svg.setAttribute("aria-label", state ? words(state, asked, players) : "The cards are not dealt yet.");
  if (!state) return;
  drawHand(svg, 0, 0, state, asked, players);
  drawLine(svg, HAND, state, players);
  drawHand(svg, 1, HAND + MIDDLE, state, asked, players);
}

// Whether the match is over, so that the caller in the state is asked nothing more.
function isOver(state, event) {
  return state.hands?.includes("") || ["match_finished", "match_sealed"].includes(event?.type);
}

// The state in words, for those who do not see the board.
function words(state, asked, players) {
  const hands = players.map((name, seat) => {
    const cards = [...(state.hands?.[seat] ?? "")].map((card) => CARDS[card]);
    return `${name}: ${cards.join(" and ") || "no cards"}, ${coinsOf(state, seat)}.`;
  });
  const [title, claims] = turn(state, players);
  const next = players[asked] === undefined ? "" : ` ${players[asked]} is asked now.`;
  return `${hands.join(" ")} ${title}: ${claims.join(", ")}.${next}`;
}

function coinsOf(state, seat) {
  const coins = state.coins?.[seat] ?? 0;
  return `${coins} ${coins === 1 ? "coin" : "coins"}`;
}

function drawHand(svg, seat, top, state, asked, players) {
  const acts = asked === seat, hand = [...(state.hands?.[seat] ?? "")];
  add(svg, "rect", { x: 1, y: top + 1, width: WIDTH - 2, height: HAND - 2, rx: 8, fill: "none",
    stroke: "currentColor", "stroke-width": acts ? 2 : 1, opacity: acts ? 0.6 : 0.2 });
  const name = add(svg, "text", { x: 12, y: top + 23, "font-weight": 600 }, cut(players[seat], 15));
  fit(name, WIDTH - 2 * CARD.width - 40);
  add(svg, "text", { x: 12, y: top + 41, "font-size": 11.5, opacity: 0.75 },
    acts ? "is asked now" : hand.length ? "" : "is out");
  drawCoins(svg, 12, top + 52, state, seat);
  [...hand, null, null].slice(0, 2).forEach((card, place) =>
    drawCard(svg, WIDTH - 12 - (2 - place) * CARD.width - (1 - place) * 8, top + 10, card));
  fit(add(svg, "text", { x: WIDTH - 12, y: top + 87, "font-size": 11, "text-anchor": "end", opacity: 0.75 },
    hand.length ? `hidden from ${cut(players[1 - seat], 20)}` : ""), WIDTH - 90);
}

function drawCard(svg, x, y, card) {
  const middle = { x: x + CARD.width / 2, y: y + CARD.height / 2 + 5, "text-anchor": "middle" };
  if (card === null) {
    add(svg, "rect", { x, y, ...CARD, rx: 6, fill: "none", stroke: "currentColor",
      "stroke-dasharray": "5 4", opacity: 0.4 });
    add(svg, "text", { ...middle, "font-size": 12, opacity: 0.7 }, "lost");
    return;
  }
  add(svg, "rect", { x, y, ...CARD, rx: 6, fill: COLOURS[card] ?? "#555" });
  add(svg, "text", { ...middle, "font-size": 12.5, fill: "#fff", "font-weight": 600 }, CARDS[card] ?? card);
}

function drawCoins(svg, x, y, state, seat) {
  for (let coin = 0; coin < Math.min(state.coins?.[seat] ?? 0, 12); coin++) {
    add(svg, "circle", { cx: x + 6 + 11 * coin, cy: y + 7, r: 6.5, fill: "#d9a520",
      stroke: "#8a6508", "stroke-width": 1.5 });
  }
  add(svg, "text", { x, y: y + 34, "font-size": 12 }, coinsOf(state, seat));
}

// The title and the claims of the turn; between two turns those of the last one.
function turn(state, players) {
  const open = state.line ?? "", last = (state.history ?? "").trimEnd().split("\n").at(-1);
  const claims = [...(open || last)].map((symbol) => SYMBOLS[symbol] ?? symbol);
  if (!claims.length) return ["The first turn", ["nothing is claimed yet"]];
  return [open ? `Turn of ${cut(players[state.turn_of] ?? "", 20)}` : "The turn before", claims];
}

function drawLine(svg, top, state, players) {
  const [title, claims] = turn(state, players);
  add(svg, "rect", { x: 0, y: top + 5, width: WIDTH, height: MIDDLE - 10, rx: 8, opacity: 0.07 });
  const small = { "font-size": 11.5, opacity: 0.75 };
  const cards = add(svg, "text", { x: WIDTH - 12, y: top + 23, ...small, "text-anchor": "end" },
    state.offered
      ? `draws ${[...state.offered].map((card) => CARDS[card]).join(", ")}`
      : `${(state.deck ?? "").length} cards in the deck`);
  fit(add(svg, "text", { x: 12, y: top + 23, ...small }, title), WIDTH - 36 - cards.getComputedTextLength());
  lines(claims).forEach((line, number) => add(svg, "text",
    { x: 12, y: top + 43 + 18 * number, opacity: state.line ? 1 : 0.7 }, line));
}

// The claims in two lines; of a longer turn the last ones.
function lines(claims) {
  const wrapped = [];
  for (const claim of claims) {
    const longer = wrapped.length ? `${wrapped.at(-1)} · ${claim}` : claim;
    if (wrapped.length && longer.length <= LETTERS) wrapped[wrapped.length - 1] = longer;
    else wrapped.push(claim);
  }
  return wrapped.length > 2 ? [`… ${wrapped.at(-2)}`, wrapped.at(-1)] : wrapped;
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
