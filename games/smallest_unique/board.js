// Smallest Unique Number: the numbers with the bots that chose them, the winner, and the points.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const WIDTH = 480, NUMBERS = 10, COLUMN = WIDTH / NUMBERS, NAMED = 7, BEST = 10;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("font-size", "13");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} 316`);
  if (!state) return;
  const choices = state.choices ?? [], winner = state.winner;
  for (let number = 1; number <= NUMBERS; number++) {
    const seats = choices.flatMap((choice, seat) => (choice === number ? [seat] : []));
    drawNumber(svg, number, seats, winner, players);
  }
  drawPoints(svg, state.points ?? [], winner, players);
}

function drawNumber(svg, number, seats, winner, players) {
  const x = (number - 1) * COLUMN, wins = seats.includes(winner);
  const middle = { x: x + COLUMN / 2, "text-anchor": "middle" };
  add(svg, "rect", { x: x + 2, y: 2, width: COLUMN - 4, height: 150, rx: 6,
    fill: wins ? "#0f8f6c" : "currentColor", opacity: wins ? 0.25 : seats.length === 1 ? 0.14 : 0.06 });
  add(svg, "text", { ...middle, y: 22, "font-size": 16, "font-weight": 700, fill: "currentColor",
    opacity: seats.length ? 1 : 0.45 }, number);
  seats.slice(0, NAMED).forEach((seat, place) => add(svg, "text", { ...middle, y: 42 + 15 * place,
    "font-size": 10.5, "font-weight": seat === winner ? 700 : 400, fill: "currentColor" }, cut(players[seat], 8)));
  if (seats.length > NAMED) {
    add(svg, "text", { ...middle, y: 147, "font-size": 10.5, fill: "currentColor" }, `+${seats.length - NAMED}`);
  }
}

// The most points, as bars.
function drawPoints(svg, points, winner, players) {
  const order = points.map((_, seat) => seat).sort((a, b) => points[b] - points[a] || a - b);
  const most = Math.max(1, ...points);
  order.slice(0, BEST).forEach((seat, place) => {
    const y = 160 + 15.4 * place;
    add(svg, "text", { x: 96, y: y + 11, "text-anchor": "end", "font-size": 11,
      "font-weight": seat === winner ? 700 : 400, fill: "currentColor" }, cut(players[seat], 14));
    add(svg, "rect", { x: 102, y: y + 2, width: (300 * points[seat]) / most, height: 10, rx: 2,
      fill: seat === winner ? "#0f8f6c" : "#0f7ab8" });
    add(svg, "text", { x: 110 + (300 * points[seat]) / most, y: y + 11, "font-size": 11, fill: "currentColor" },
      points[seat]);
  });
}

function cut(name, letters) {
  return [...name].length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name;
}
