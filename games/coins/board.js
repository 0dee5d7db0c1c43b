// Coins: the ring of players with their piles around the centre; of many players, the turn order.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const LEGEND = "▲ flipped ▽ unflipped";
const WIDTH = 360, HEIGHT = 290, RING = 8, BOX = { width: 88, height: 48 }, ROWS = 12, ROW = 18, HEAD = 56;
const ACTIONS = {
  1: "takes up to 1", 2: "takes up to 2", 3: "takes up to 3",
  A: "puts back up to 1", B: "puts back up to 2", C: "puts back up to 3",
  X: "removes up to 1", Y: "removes up to 2", Z: "removes up to 3", F: "flips up to 1", U: "unflips up to 1",
  R: "all piles move back", T: "all piles move on", N: "nothing",
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
  svg.setAttribute("fill", "currentColor");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("aria-label", "The coins are not laid out yet.");
  if (!state) return;
  const order = state.order ?? players.map((_, seat) => seat);
  const isOver = ["counted", "match_finished", "match_sealed"].includes(event?.type);
  const actor = event?.type === "acted" ? event.seat : isOver ? null : state.turn_of;
  svg.setAttribute("aria-label", words(state, order, actor, event, players));
  if (order.length > RING) drawOrder(svg, state, order, actor, event, players);
  else drawRing(svg, state, order, actor, event, players);
}

// The state in words, for those who do not see the board.
function words(state, order, actor, event, players) {
  const piles = order.map((seat) => `${players[seat]}: ${points(state, seat)}, `
    + `${compact(state.flipped?.[seat])} flipped, ${compact(state.unflipped?.[seat])} unflipped.`);
  return [`${compact(state.centre)} coins in the centre.`, turn(actor, event, players), ...piles]
    .filter(Boolean).join(" ");
}

function turn(actor, event, players) {
  if (players[actor] === undefined) return "";
  if (event?.type !== "acted") return `The turn of ${cut(players[actor], 40)}.`;
  const actions = [...(event.actions ?? "")].map((action) => ACTIONS[action] ?? action);
  return `${cut(players[actor], 16)}: ${actions.join(", ")}.`;
}

function drawRing(svg, state, order, actor, event, players) {
  const middle = { x: WIDTH / 2, y: HEIGHT / 2 + 10 };
  const spots = order.map((seat, place) => {
    const angle = (2 * Math.PI * place) / order.length - Math.PI / 2;
    return { seat, x: middle.x + 134 * Math.cos(angle), y: middle.y + 108 * Math.sin(angle) };
  });
  const actions = event?.type === "acted" ? event.actions ?? "" : "";
  const passes = /[RT]/.exec(actions)?.[0];
  const small = { "font-size": 11.5, opacity: 0.75 };
  fit(add(svg, "text", { x: 0, y: 12, ...small }, turn(actor, event, players)), WIDTH);
  add(svg, "text", { x: 0, y: HEIGHT - 2, ...small }, LEGEND);
  spots.forEach((spot, place) => {
    if (passes) { // R gives each pile to the player before, T to the one after
      const to = spots[(place + (passes === "T" ? 1 : spots.length - 1)) % spots.length];
      drawArrow(svg, spot, to, 0.5);
    } else if (spot.seat === actor && /[123]/.test(actions)) drawArrow(svg, middle, spot, 0.58);
    else if (spot.seat === actor && /[ABC]/.test(actions)) drawArrow(svg, spot, middle, 0.58);
  });
  const text = { x: middle.x, "text-anchor": "middle", fill: "#2b1f00" };
  add(svg, "circle", { cx: middle.x, cy: middle.y, r: 38, fill: "#d9a520", stroke: "#8a6508", "stroke-width": 2 });
  add(svg, "text", { ...text, y: middle.y, "font-size": 14, "font-weight": 700 }, compact(state.centre));
  add(svg, "text", { ...text, y: middle.y + 15, "font-size": 11 }, "in centre");
  for (const spot of spots) drawPlayer(svg, spot, state, spot.seat === actor, players);
}

function drawPlayer(svg, { seat, x, y }, state, acts, players) {
  const left = Math.max(1, Math.min(WIDTH - BOX.width - 1, x - BOX.width / 2));
  const top = Math.max(16, Math.min(HEIGHT - BOX.height - 1, y - BOX.height / 2));
  add(svg, "rect", { x: left, y: top, ...BOX, rx: 6, fill: "var(--paper, Canvas)",
    stroke: "currentColor", "stroke-width": acts ? 2.5 : 1, "stroke-opacity": acts ? 0.9 : 0.4 });
  const word = (dy, text, style) => add(svg, "text",
    { x: left + BOX.width / 2, y: top + dy, "text-anchor": "middle", ...style }, text);
  fit(word(15, cut(players[seat], 11), { "font-weight": 600 }), BOX.width - 6);
  word(29, points(state, seat), { "font-size": 11.5 });
  word(43, pile(state, seat), { "font-size": 11.5 });
}

function points(state, seat) {
  const number = state.points?.[seat];
  return `${compact(number)} ${Math.abs(number) === 1 ? "point" : "points"}`;
}

function pile(state, seat) {
  return `▲${compact(state.flipped?.[seat])} ▽${compact(state.unflipped?.[seat])}`;
}

// Draws an arrow that ends after a share of the way, so that its head is not under a box.
function drawArrow(svg, from, to, end) {
  const along = (share) => [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
  const [x1, y1] = along(0.2), [x2, y2] = along(end);
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  add(svg, "line", { x1, y1, x2, y2, stroke: "#0f7ab8", "stroke-width": 3 });
  add(svg, "path", { d: "M6 0L-6 7V-7z", fill: "#0f7ab8", transform: `translate(${x2} ${y2}) rotate(${angle})` });
}

// Too many for a ring: the part of the turn order that holds the actor, in two columns.
function drawOrder(svg, state, order, actor, event, players) {
  const shown = 2 * ROWS, first = shown * Math.floor(Math.max(0, order.indexOf(actor)) / shown);
  const part = order.slice(first, first + shown), rows = Math.ceil(part.length / 2);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEAD + (rows + 1) * ROW}`);
  add(svg, "text", { x: 0, y: 14, "font-weight": 600 },
    `${compact(state.centre)} coins in the centre`);
  add(svg, "text", { x: WIDTH, y: 14, "text-anchor": "end", opacity: 0.75 },
    part.length < order.length ? `${first + 1}–${first + part.length} of ${order.length} in turn order` : "in turn order");
  fit(add(svg, "text", { x: 0, y: 32, "font-size": 11.5, opacity: 0.75 },
    turn(actor, event, players)), WIDTH);
  add(svg, "text", { x: 0, y: HEAD + rows * ROW, "font-size": 11, opacity: 0.75 },
    `${LEGEND}, points`);
  part.forEach((seat, place) => {
    const x = place < rows ? 0 : WIDTH / 2 + 4, right = x + WIDTH / 2 - 6, y = HEAD + (place % rows) * ROW;
    const acts = seat === actor;
    if (acts) {
      add(svg, "rect", { x, y: y - 13, width: WIDTH / 2 - 4, height: ROW - 1, rx: 3, opacity: 0.12 });
    }
    const style = { y, "font-size": 11, "font-weight": acts ? 700 : 400 };
    const coins = add(svg, "text", { ...style, x: right - 40, "text-anchor": "end", opacity: 0.75 },
      pile(state, seat));
    const name = add(svg, "text", { ...style, x: x + 3 }, cut(players[seat], 13));
    fit(name, right - 48 - x - coins.getComputedTextLength());
    add(name, "title", {}, players[seat]);
    add(svg, "text", { ...style, x: right, "text-anchor": "end" }, compact(state.points?.[seat]));
  });
}

function compact(number) {
  if (typeof number !== "number") return String(number ?? "–");
  for (const [size, unit] of [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (Math.abs(number) >= size) {
      return `${digits(number / (unit === "k" ? 1e3 : size))}${unit}`.replace("-", "−");
    }
  }
  return format.format(number).replace("-", "−");
}

// Three digits; a number that would round up to 1,000 stays below it, as in a terminal.
function digits(number) {
  return Math.max(-999, Math.min(number, 999)).toPrecision(3);
}

// Squeezes a text that is wider than its place, such as one of Chinese letters or of long actions.
function fit(text, width) {
  if (text.getComputedTextLength() > width) {
    text.setAttribute("textLength", width);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
