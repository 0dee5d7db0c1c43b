// Steps through the events of a match: the list, the slider, the keyboard, and the open event.
"use strict";

const ROW = 28; // pixels
const AROUND = 3; // rows that stay visible above and below the open one
const LEAP = 20; // events that a page key skips
const BINS = 100; // maximum marks over the slider
const NARROW = matchMedia("(max-width: 56rem)"); // as in match.css: players after the timeline

let sequence; // the seqs that the filter shows
let current = 0; // the seq that is open
let faults, findings; // the seqs with faults, and with findings
let findingsAt; // the findings by seq

// --- The shown events, and the open one ---

// Returns the index of an event among those shown, or else that of the next shown event.
function indexOf(seq) {
  let low = 0, high = sequence.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sequence[middle] < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function filter() {
  const type = $("type").value, seat = $("seat").value;
  sequence = [];
  for (let seq = 0; seq < index.type.length; seq++) {
    if (type !== "" && index.type[seq] !== Number(type)) continue;
    if (seat !== "" && index.seat[seq] !== Number(seat)) continue;
    sequence.push(seq);
  }
  $("range").max = Math.max(0, sequence.length - 1);
  $("rows").style.height = `${sequence.length * ROW}px`;
  drawMarks();
  if (sequence.length) show(sequence[Math.min(indexOf(current), sequence.length - 1)]);
  else {
    drawPlace();
    drawRows();
  }
}

function step(by) {
  if (!sequence.length) return;
  show(sequence[Math.max(0, Math.min(sequence.length - 1, indexOf(current) + by))]);
}

// Opens the next of some events, or the previous one; at the ends it wraps around.
function seek(seqs, back) {
  if (!seqs.length) return;
  jump(back
    ? seqs.findLast((seq) => seq < current) ?? seqs.at(-1)
    : seqs.find((seq) => seq > current) ?? seqs[0]);
}

// Opens an event; if the filter hides it, clears the filter.
function jump(seq) {
  if (sequence[indexOf(seq)] !== seq) {
    $("type").value = $("seat").value = "";
    filter();
  }
  show(seq);
}

function show(seq) {
  current = seq;
  const at = indexOf(seq);
  $("range").value = at;
  $("range").setAttribute("aria-valuetext", `event ${seq}, ${spaced(typeOf(seq))}`);
  if (document.activeElement !== $("jump")) $("jump").value = seq;
  drawPlace();
  reveal(at);
  drawRows();
  drawDetail(seq).catch(({ message }) =>
    seq === current && $("detail").replaceChildren(alarm(message)));
  remember();
}

// Shows how many events there are to step through; without any, no step leads anywhere.
function drawPlace() {
  const at = indexOf(current), all = index.type.length;
  const filtered = sequence.length < all ? `, ${number.format(sequence.length)} shown` : "";
  $("place").textContent = `of 0 … ${number.format(all - 1)}${filtered}`;
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("next").disabled = at >= sequence.length - 1;
}

let remembering;
function remember() { // with a delay, because browsers refuse too many changes of the address
  clearTimeout(remembering);
  remembering = setTimeout(() => history.replaceState(null, "", `#seq=${current}`), 120);
}

function fromAddress() {
  const seq = Number(/^#(?:seq=|e)(\d+)$/.exec(location.hash)?.[1]);
  return seq < index.type.length ? seq : null;
}

const typeOf = (seq) => index.types[index.type[seq]];
const isUnproven = (seq) => index.replayed && seq >= index.replayed;

function flags(seq) {
  const flag = (sign, title) => h("span", { title, role: "img", "aria-label": title }, sign);
  return [
    seq === index.divergence?.seq ? flag("✕", "diverges") : null,
    faults.has(seq) ? flag("▲", "fault") : null,
    findingsAt.has(seq) ? flag("◆", "audit finding") : null,
  ];
}

async function drawDetail(seq) {
  const known = Math.min(seq, index.replayed - 1); // the last event whose state is known
  const [open, before, drawn] = await Promise.all(
    [entry(seq), seq ? entry(seq - 1) : null, known < 0 ? null : entry(known)]);
  const answered = open.answer === undefined ? null : await entry(open.answer);
  if (seq !== current) return;
  $("koth-sentence").textContent = (isUnproven(seq) ? "As recorded: " : "") + isolated(open.sentence);
  showBoard(drawn, known);
  const seat = index.seat[seq];
  $("detail").replaceChildren(
    h("h3", {}, h("a", { href: `#seq=${seq}` }, `#${seq}`), ` ${spaced(typeOf(seq))}`,
      seat < 0 ? null : [" · ", player(seat)],
      h("span", { className: "flags" }, " ", flags(seq))),
    ...fields(open.event),
    ...problems(seq, findingsAt.get(seq) ?? []),
    ...clause(open.clause),
    ...changes(before?.state, open.state),
    ...answer(open, answered),
    ...dice(open.dice ?? []),
    ...state(before?.state, open.state),
  );
  $("status").textContent = [`Event ${seq}`, spaced(typeOf(seq)), seat < 0 ? "" : playerText(seat),
    findingsAt.has(seq) ? "audit finding" : ""].filter(Boolean).join(", ");
}

// --- The list: only visible rows are in the page ---

function reveal(at) {
  const list = $("list"), top = at * ROW, around = AROUND * ROW;
  const below = innerHeight - list.getBoundingClientRect().top; // the window may end before the list
  const height = Math.max(2 * around + ROW, Math.min(list.clientHeight, below));
  if (top - around < list.scrollTop) list.scrollTop = top - around;
  else if (top + ROW + around > list.scrollTop + height) {
    list.scrollTop = top + ROW + around - height;
  }
}

function drawRows() {
  const list = $("list"), rows = [];
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - AROUND);
  const end = Math.ceil((list.scrollTop + list.clientHeight) / ROW) + AROUND;
  for (let at = first; at < Math.min(sequence.length, end); at++) rows.push(row(at));
  if (!sequence.length) {
    rows.push(h("p", { className: "none" }, "No event has this type and seat."));
  }
  $("rows").replaceChildren(...rows);
  list.setAttribute("aria-activedescendant", `event-${current}`);
}

function row(at) {
  const seq = sequence[at];
  const what = h("span", { className: "what" }, spaced(typeOf(seq))); // until its sentence is there
  const element = h("div", {
    className: isUnproven(seq) ? "event recorded" : "event",
    id: `event-${seq}`,
    role: "option",
    "aria-selected": seq === current,
    "aria-setsize": sequence.length,
    "aria-posinset": at + 1,
    style: `top: ${at * ROW}px`,
  },
  h("span", { className: "at" }, seq),
  h("span", { className: "flags" }, flags(seq)),
  what);
  element.addEventListener("click", () => show(seq));
  entry(seq).then(({ sentence }) => {
    what.textContent = element.title = isolated(sentence);
  }, () => {}); // the open event says why
  return element;
}

// --- The slider's marks ---

function drawMarks() {
  const last = Math.max(1, sequence.length - 1), bins = new Map();
  const put = (seq, sign) => {
    const at = indexOf(seq);
    const bin = `${sign}${Math.round((at / last) * BINS)}`;
    if (sequence[at] === seq && !bins.has(bin)) bins.set(bin, seq);
  };
  for (const seq of faults) put(seq, "▲");
  for (const seq of findings) put(seq, "◆");
  if (index.divergence) put(index.divergence.seq, "✕");
  $("marks").replaceChildren(...[...bins].map(([key, seq]) => {
    const mark = h("span", { style: `left: ${(100 * Number(key.slice(1))) / BINS}%`,
      title: `Event ${seq}` }, key[0]);
    mark.addEventListener("click", () => jump(seq));
    return mark;
  }));
}

// --- The board, and playing ---

// Draws the state after an event; of an event that the rules do not lead to, the last known state.
function showBoard(entry, known) {
  if (typeof drawBoard === "undefined") return;
  const svg = $("koth-board").firstElementChild, isKnown = known === current;
  const isDrawn = entry !== null && (isKnown || entry.state !== null);
  $("koth-board").hidden = !isDrawn;
  $("koth-board").classList.toggle("stale", !isKnown);
  $("board-note").hidden = isKnown;
  $("board-note").textContent = !isDrawn ? index.not_replayed
    : `The board shows event ${known}, the last one that the rules lead to.`;
  if (!isDrawn) return;
  svg.removeAttribute("aria-label");
  try {
    drawBoard(svg, plain(entry.state), plain(entry.event), index.printable);
  } catch (error) { // the event is shown all the same
    $("koth-board").hidden = true;
    $("board-note").hidden = false;
    $("board-note").textContent = `The board cannot show this state: ${error?.message ?? error}`;
    return;
  }
  // A board says its state in words by its label; the sentence replaces a missing label.
  if (svg.hasAttribute("aria-label")) svg.removeAttribute("aria-labelledby");
  else svg.setAttribute("aria-labelledby", "koth-sentence");
}

// A copy with numbers and texts alone: large numbers as near as JavaScript has them, and long texts
// without their middle.
function plain(value) {
  if (value === null || typeof value !== "object") return value;
  if ("\0int" in value) return Number(value["\0int"]);
  if ("\0cut" in value) return joined(value);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

let playing;
function play() {
  const button = $("play"), ends = playing !== undefined;
  clearTimeout(playing);
  playing = undefined;
  button.textContent = ends ? "▶" : "❚❚";
  button.setAttribute("aria-label", ends ? "Play" : "Pause");
  if (!ends) playOn();
}

function playOn() {
  playing = setTimeout(() => {
    if (indexOf(current) >= sequence.length - 1) return play();
    step(1);
    playOn();
  }, Number($("speed").value));
}

// --- Keyboard and mouse ---

const KEYS = {
  ArrowRight: () => step(1), ArrowDown: () => step(1), j: () => step(1),
  ArrowLeft: () => step(-1), ArrowUp: () => step(-1), k: () => step(-1),
  PageDown: () => step(LEAP), PageUp: () => step(-LEAP),
  Home: () => step(-Infinity), End: () => step(Infinity),
  f: () => seek(index.faults, false), F: () => seek(index.faults, true),
  a: () => seek(findings, false), A: () => seek(findings, true),
  g: () => { $("jump").focus(); $("jump").select(); },
  " ": play,
  c: () => copy(`${location.href.split("#")[0]}#seq=${current}`, $("copy")),
  "?": () => $("keys").showModal(),
};

function pressed(event) {
  const { key, target } = event;
  if (key === "Enter" && target === $("jump")) $("list").focus({ preventScroll: true });
  if (event.ctrlKey || event.metaKey || event.altKey || !(key in KEYS) || $("keys").open) return;
  if (target.closest("input:not([type=range]), select, textarea")) return;
  if (key === " " && target.closest("button, summary, a")) return;
  if (key.startsWith("Arrow") && target.closest(".scroll, .outcome, pre")) return; // arrows scroll there
  const vertical = key === "ArrowUp" || key === "ArrowDown"; // elsewhere these scroll the page
  if (vertical && !target.closest("#list, #range")) return;
  event.preventDefault();
  KEYS[key]();
}

function typed() {
  const seq = Number.parseInt($("jump").value.replace(/[#,\s]/g, ""), 10);
  const last = index.type.length - 1;
  jump(Number.isNaN(seq) ? current : Math.max(0, Math.min(last, seq)));
  $("jump").value = current;
}

function linked() {
  const seq = fromAddress();
  if (seq === null) return;
  if (seq !== current) jump(seq);
  $("koth-sentence").scrollIntoView();
}

function listen() {
  const clicks = {
    first: KEYS.Home, back: KEYS.k, next: KEYS.j, last: KEYS.End, fault: KEYS.f, finding: KEYS.a,
    play, copy: KEYS.c, help: KEYS["?"],
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  $("range").addEventListener("input", () => show(sequence[Number($("range").value)]));
  $("list").addEventListener("scroll", drawRows, { passive: true });
  $("type").addEventListener("change", filter);
  $("seat").addEventListener("change", filter);
  $("jump").addEventListener("change", typed);
  addEventListener("keydown", pressed);
  addEventListener("resize", drawRows);
  NARROW.addEventListener("change", placePlayers);
  addEventListener("hashchange", linked);
}

function label() {
  for (const [noun, count] of [["fault", faults.size], ["finding", findings.length]]) {
    const words = ` ${noun}${count === 1 ? "" : "s"}`, button = $(noun);
    button.disabled = !count;
    button.setAttribute("aria-label", `Next of ${number.format(count)}${words}`);
    $(`${noun}s`).replaceChildren(number.format(count), h("span", { className: "word" }, words));
  }
  index.types.forEach((type, n) => $("type").append(h("option", { value: n }, spaced(type))));
  index.names.forEach((_, seat) =>
    $("seat").append(h("option", { value: seat }, playerText(seat))));
  const digits = String(index.type.length - 1).length;
  document.documentElement.style.setProperty("--digits", digits);
}

function placePlayers() {
  (NARROW.matches ? $("app") : $("board").parentNode).after($("players").parentNode);
}

// The first event that holds an answer; 0 if there is none.
function firstDecision() {
  const decides = (_, seq) => typeOf(seq) === "answered" || typeOf(seq) in index.carriers;
  return Math.max(0, index.type.findIndex(decides));
}

async function begin() {
  index = await unpack("index");
  index.clauses ??= sharedClauses; // a script of the site
  faults = new Set(index.faults);
  findingsAt = new Map();
  for (const finding of index.findings) {
    findingsAt.set(finding.seq, [...(findingsAt.get(finding.seq) ?? []), finding]);
  }
  findings = [...findingsAt.keys()];
  $("app").hidden = false;
  placePlayers();
  label();
  listen();
  const linkedTo = fromAddress();
  current = linkedTo ?? index.divergence?.seq ?? index.faults[0] ?? firstDecision();
  filter();
  if (linkedTo !== null) $("koth-sentence").scrollIntoView({ behavior: "instant" });
}

begin().catch((error) =>
  $("app").before(alarm(`This browser cannot show the timeline: ${error.message}`)));
