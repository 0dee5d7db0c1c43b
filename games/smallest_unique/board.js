// Smallest Unique Number: the numbers with the bots that chose them, the winner, and the points.
// draw(svg, state, event, players): state as the rules show it (or null), players' names by seat.

const WIDTH = 360, NUMBERS = 10, ROW = 21, LETTERS = 46, BEST = 6, BAR = 15, RIGHT = 176;
const POINTS = NUMBERS * ROW + 22;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

export function draw(svg, state, event, players) {
  svg.replaceChildren();
  svg.setAttribute("font-size", "11.5");
  svg.setAttribute("fill", "currentColor");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${POINTS + Math.min(BEST, players.length) * BAR}`);
  svg.setAttribute("aria-label", state ? words(state, players) : "Nobody has chosen yet.");
  if (!state) return;
  for (let number = 1; number <= NUMBERS; number++) drawNumber(svg, number, state, players);
  drawPoints(svg, state, players);
}

// The state in words, for those who do not see the board.
function words(state, players) {
  const choices = Array.from({ length: NUMBERS }, (_, n) => {
    const names = chosenBy(state, n + 1).map((seat) => players[seat]);
    return names.length ? `${n + 1}: ${names.join(", ")}.` : "";
  });
  const winner = players[state.winner];
  const scores = byPoints(state).slice(0, BEST).map((seat) => `${players[seat]} ${state.points[seat]}`);
  return [state.choices ? "Choices." : "Nobody has chosen yet.", ...choices.filter(Boolean),
    state.choices ? (winner === undefined ? "Nobody scores." : `${winner} scores.`) : "",
    `Most points: ${scores.join(", ")}.`].filter(Boolean).join(" ");
}

function chosenBy(state, number) {
  return (state.choices ?? []).flatMap((choice, seat) => (choice === number ? [seat] : []));
}

function byPoints(state) {
  const points = state.points ?? [];
  return points.map((_, seat) => seat).sort((a, b) => points[b] - points[a] || a - b);
}

function drawNumber(svg, number, state, players) {
  const y = (number - 1) * ROW, seats = chosenBy(state, number), wins = seats.includes(state.winner);
  add(svg, "rect", { x: 0, y: y + 1, width: WIDTH, height: ROW - 2, rx: 4,
    fill: wins ? "#0f8f6c" : "currentColor", opacity: wins ? 0.3 : seats.length ? 0.09 : 0.04 });
  add(svg, "text", { x: 24, y: y + 15, "font-size": 13, "font-weight": 700, "text-anchor": "end",
    opacity: seats.length ? 1 : 0.75 }, number);
  const names = listed(seats.map((seat) => players[seat]));
  fit(add(svg, "text", { x: 34, y: y + 15, "font-weight": wins ? 700 : 400, opacity: wins ? 1 : 0.85 }, names),
    WIDTH - 100);
  if (wins || seats.length > 1) {
    add(svg, "text", { x: WIDTH - 6, y: y + 15, "text-anchor": "end", "font-weight": 700 },
      wins ? "★ scores" : `× ${seats.length}`);
  }
}

// As many names as fit in a row, and the number of the others; one or two may be longer.
function listed(names) {
  const letters = Math.max(14, Math.floor(36 / names.length));
  let text = "";
  for (const [place, name] of names.entries()) {
    const longer = text ? `${text}, ${cut(name, letters)}` : cut(name, letters);
    if (longer.length > LETTERS - 5) return `${text} +${names.length - place}`;
    text = longer;
  }
  return text;
}

// The players with the most points, as bars; the winner of the round is always among them.
function drawPoints(svg, state, players) {
  const order = byPoints(state), best = order.slice(0, BEST), most = Math.max(1, ...(state.points ?? []));
  if (order.indexOf(state.winner) >= BEST) best[BEST - 1] = state.winner;
  add(svg, "text", { x: 0, y: POINTS - 6, "font-size": 11.5, opacity: 0.75 },
    `Most points, of ${order.length} players, after round ${state.rounds ?? 0}`);
  best.forEach((seat, place) => {
    const y = POINTS + BAR * place, wins = seat === state.winner;
    const width = (RIGHT * state.points[seat]) / most;
    fit(add(svg, "text", { x: 122, y: y + 11, "text-anchor": "end", "font-weight": wins ? 700 : 400 },
      cut(players[seat], 18)), 122);
    add(svg, "rect", { x: 128, y: y + 2, width, height: 10, rx: 2, fill: wins ? "#0f8f6c" : "#0f7ab8" });
    add(svg, "text", { x: 134 + width, y: y + 11 }, state.points[seat]);
  });
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
