// Coins: the ring of players with their piles around the centre; of more than twelve, a table.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const WIDTH = 480, HEIGHT = 330, RING = 12;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

const format = new Intl.NumberFormat("en");

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("font-size", "13");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  if (!state) return;
  const order = state.order ?? players.map((_, seat) => seat);
  const actor = event?.type === "acted" ? event.seat : state.turn_of;
  if (order.length > RING) drawTable(svg, state, order, actor, players);
  else drawRing(svg, state, order, actor, event, players);
}

function drawRing(svg, state, order, actor, event, players) {
  const middle = { x: WIDTH / 2, y: HEIGHT / 2 };
  const spots = order.map((seat, place) => {
    const angle = (2 * Math.PI * place) / order.length - Math.PI / 2;
    return { seat, x: middle.x + 180 * Math.cos(angle), y: middle.y + 118 * Math.sin(angle) };
  });
  const actions = event?.type === "acted" ? event.actions : "";
  const passes = /[RT]/.exec(actions)?.[0];
  spots.forEach((spot, place) => {
    if (passes) { // R gives each pile to the player before, T to the one after
      const to = spots[(place + (passes === "T" ? 1 : spots.length - 1)) % spots.length];
      drawArrow(svg, spot, to);
    } else if (spot.seat === actor && /[123]/.test(actions)) drawArrow(svg, middle, spot);
    else if (spot.seat === actor && /[ABC]/.test(actions)) drawArrow(svg, spot, middle);
  });
  add(svg, "circle", { cx: middle.x, cy: middle.y, r: 40, fill: "#d9a520", stroke: "#8a6508", "stroke-width": 2 });
  add(svg, "text", { x: middle.x, y: middle.y, "text-anchor": "middle", "font-weight": 600, fill: "#2b1f00" },
    compact(state.centre));
  add(svg, "text", { x: middle.x, y: middle.y + 16, "text-anchor": "middle", "font-size": 11, fill: "#2b1f00" },
    "in the centre");
  for (const spot of spots) drawPlayer(svg, spot, state, spot.seat === actor, players);
}

function drawPlayer(svg, { seat, x, y }, state, acts, players) {
  const left = Math.max(1, Math.min(WIDTH - 105, x - 52)), top = Math.max(1, Math.min(HEIGHT - 55, y - 27));
  add(svg, "rect", { x: left, y: top, width: 104, height: 54, rx: 8, class: "board-paper", fill: "var(--paper, #fff)",
    stroke: "currentColor", "stroke-width": acts ? 3 : 1, "stroke-opacity": acts ? 0.9 : 0.4 });
  const word = (dy, text, style) => add(svg, "text",
    { x: left + 52, y: top + dy, "text-anchor": "middle", fill: "currentColor", ...style }, text);
  word(16, cut(players[seat], 12), { "font-weight": 600 });
  word(32, `${compact(state.points?.[seat])} points`, { "font-size": 12 });
  word(47, `▲ ${compact(state.flipped?.[seat])}  ▽ ${compact(state.unflipped?.[seat])}`, { "font-size": 12 });
}

function drawArrow(svg, from, to) {
  const along = (share) => [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
  const [x1, y1] = along(0.2), [x2, y2] = along(0.72);
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  add(svg, "line", { x1, y1, x2, y2, stroke: "#0f7ab8", "stroke-width": 3 });
  add(svg, "path", { d: "M0 0L-11 6V-6z", fill: "#0f7ab8", transform: `translate(${x2} ${y2}) rotate(${turn})` });
}

// Too many for a ring: rows of name, flipped, unflipped and points, in turn order.
function drawTable(svg, state, order, actor, players) {
  const columns = 3, rows = Math.ceil(order.length / columns), height = 18;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${44 + rows * height}`);
  add(svg, "text", { x: 4, y: 20, "font-weight": 600, fill: "currentColor" },
    `${compact(state.centre)} coins in the centre`);
  order.forEach((seat, place) => {
    const x = 4 + Math.floor(place / rows) * (WIDTH / columns), y = 46 + (place % rows) * height;
    const weight = seat === actor ? 700 : 400;
    add(svg, "text", { x, y, "font-size": 11, "font-weight": weight, fill: "currentColor" },
      `${seat === actor ? "▸ " : ""}${cut(players[seat], 10)}`);
    add(svg, "text", { x: x + 148, y, "font-size": 11, "font-weight": weight, "text-anchor": "end", fill: "currentColor" },
      `▲${compact(state.flipped?.[seat])} ▽${compact(state.unflipped?.[seat])} ${compact(state.points?.[seat])}`);
  });
}

function compact(number) {
  if (typeof number !== "number") return String(number ?? "–");
  for (const [size, unit] of [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"]]) {
    if (Math.abs(number) >= size) return `${(number / size).toPrecision(3)}${unit}`.replace("-", "−");
  }
  return format.format(number).replace("-", "−");
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
