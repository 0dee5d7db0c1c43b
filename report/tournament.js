// The list of matches: sorted, filtered, in pages, each match with details.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [MATCH, SEATS, SCORES, WINNERS, RESULT, VOID, FAULTS, SEAL, VERDICT, WHY, LOG, PAGE] = data.rows[0].keys();
  const MARKS = { verified: "✓", imported: "○", incomplete: "…" };
  const ANY_FAULT = "any fault", NO_FAULT = "none";

  const filters = document.getElementById("filters");
  const table = document.getElementById("list");
  const body = table.tBodies[0];
  const pages = document.getElementById("pages");
  const summary = document.getElementById("shown");
  const lower = data.names.map((name) => name.toLowerCase());

  let sorted = "match", descending = false, first = 0, matching = [];

  const failed = (row) => row[FAULTS].reduce((sum, fault) => sum + fault[2], 0);
  const text = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);
  const position = new Map(data.rows.map((row, n) => [row, n]));
  const KEYS = {
    match: (row) => position.get(row),
    winner: (row) => (row[WINNERS] ? lower[row[SEATS][0]] : "\uffff"),
    result: (row) => row[RESULT] ?? "",
    faults: failed,
    verdict: (row) => row[VERDICT],
  };

  function element(name, ...inside) {
    const made = document.createElement(name);
    made.append(...inside);
    return made;
  }

  function marked(name, kind, ...inside) {
    const made = element(name, ...inside);
    made.className = kind;
    return made;
  }

  // Returns text as a link, or alone if there is no page to go to.
  function linked(href, ...inside) {
    if (!href) return inside[0];
    const made = element("a", ...inside);
    made.href = href;
    return made;
  }

  function player(row, n) {
    const name = element("bdi", data.names[row[SEATS][n]]);
    const item = element("li", linked(data.links[row[SEATS][n]], name), row[SCORES] ? ` ${text(row[SCORES][n])}` : "");
    if (n < row[WINNERS]) item.className = "winner";
    return item;
  }

  function line(row) {
    const more = element("button", row[MATCH]);
    more.type = "button";
    more.setAttribute("aria-expanded", "false");
    const head = element("th", row[PAGE] ? linked(row[PAGE], row[MATCH]) : more);
    const count = text(failed(row) || "·");
    const others = row[SEATS].length - data.seats;
    const seats = row[SEATS].slice(0, data.seats).map((_, n) => player(row, n));
    if (others > 0) seats.push(marked("li", "soft", `and ${others} more`));
    const seqs = row[FAULTS].map((fault) => fault[3]).filter((seq) => seq !== null);
    const fault = row[PAGE] && seqs.length ? `${row[PAGE]}#seq=${Math.min(...seqs)}` : null;
    head.scope = "row";
    const mark = element("span", MARKS[row[VERDICT]] ?? "✕");
    mark.ariaHidden = "true";
    const made = element(
      "tr",
      head,
      element("td", marked("ul", "seats", ...seats)),
      element("td", `${row[RESULT] ?? "–"}${row[VOID] && row[RESULT] !== "void" ? ", void" : ""}`),
      marked("td", "number", linked(fault, count)),
      marked("td", row[VERDICT] in MARKS ? "" : "alarm", mark, ` ${row[VERDICT]}`),
    );
    if (row[VOID]) made.className = "void";
    more.addEventListener("click", () => {
      const open = more.getAttribute("aria-expanded") === "true";
      more.setAttribute("aria-expanded", String(!open));
      if (open) made.nextSibling.remove();
      else made.after(details(row));
    });
    return made;
  }

  function details(row) {
    const facts = element("ul");
    if (row[WHY]) facts.append(element("li", row[WHY]));
    for (const [seat, kind, count, seq] of row[FAULTS]) {
      const name = element("bdi", data.names[row[SEATS][seat]]);
      const where = seq === null ? "" : `, first in event ${seq}`;
      facts.append(element("li", name, ` failed: ${kind}${count > 1 ? ` × ${text(count)}` : ""}${where}`));
    }
    const commands = row[LOG]
      ? [`koth report ${row[LOG]} -o match.html`, `koth verify ${row[LOG]}`]
      : [];
    if (row[SEAL]) facts.append(element("li", "seal ", element("code", row[SEAL])));
    for (const command of commands) facts.append(element("li", element("code", command)));
    if (!row[LOG]) facts.append(element("li", "Its log is missing."));
    const cell = element("td", facts);
    cell.colSpan = 5;
    return marked("tr", "more", cell);
  }

  function fits(row, { bot, result, fault, verdict }) {
    if (bot && !row[SEATS].some((n) => bot.has(n))) return false;
    if (result && (row[RESULT] ?? "–") !== result) return false;
    if (fault === NO_FAULT && row[FAULTS].length) return false;
    if (fault === ANY_FAULT && !row[FAULTS].length) return false;
    if (fault && fault !== NO_FAULT && fault !== ANY_FAULT) {
      const matchesBot = ([seat]) => !bot || bot.has(row[SEATS][seat]);
      if (!row[FAULTS].some((entry) => entry[1] === fault && matchesBot(entry))) return false;
    }
    return !verdict || row[VERDICT] === verdict;
  }

  function choose() {
    const filter = Object.fromEntries(new FormData(filters));
    const word = filter.bot.trim().toLowerCase();
    if (word) {
      const exact = lower.indexOf(word) >= 0;
      const bots = lower.flatMap((name, n) => ((exact ? name === word : name.includes(word)) ? [n] : []));
      filter.bot = new Set(bots);
    } else filter.bot = null;
    const key = KEYS[sorted];
    matching = data.rows.filter((row) => fits(row, filter));
    const compared = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    matching.sort((a, b) => (descending ? -1 : 1) * compared(key(a), key(b)) || position.get(a) - position.get(b));
    first = 0;
    show();
  }

  function show() {
    const page = matching.slice(first, first + data.page_rows);
    body.replaceChildren(...page.map(line));
    const all = data.rows.length.toLocaleString("en");
    const count = matching.length.toLocaleString("en");
    const range = matching.length > data.page_rows ? `${first + 1}–${first + page.length} of ` : "";
    summary.textContent = matching.length === data.rows.length
      ? `${range}${all} matches.`
      : `${range}${count} ${matching.length === 1 ? "match" : "matches"}, of ${all}.`;
    pages.hidden = matching.length <= data.page_rows;
    pages.children.back.disabled = first === 0;
    pages.children.next.disabled = first + data.page_rows >= matching.length;
  }

  function turn(step) {
    first += step * data.page_rows;
    show();
    table.parentElement.scrollIntoView({ block: "nearest" });
  }

  function offer(name, values) {
    for (const value of values) filters.elements[name].append(new Option(value, value));
  }

  for (const head of table.tHead.rows[0].cells) {
    const button = element("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const { sort } = head.dataset;
      descending = sorted === sort ? !descending : sort === "faults";
      sorted = sort;
      mark();
      choose();
    });
  }

  function mark() {
    for (const head of table.tHead.rows[0].cells) {
      head.ariaSort = head.dataset.sort === sorted ? (descending ? "descending" : "ascending") : null;
    }
  }

  const distinct = (values) => [...new Set(values)].sort();
  for (const name of [...data.names].sort()) document.getElementById("bots").append(new Option(name));
  offer("result", distinct(data.rows.map((row) => row[RESULT] ?? "–")));
  offer("fault", [NO_FAULT, ANY_FAULT, ...distinct(data.rows.flatMap((row) => row[FAULTS].map(([, kind]) => kind)))]);
  offer("verdict", distinct(data.rows.map((row) => row[VERDICT])));
  filters.elements.bot.addEventListener("input", choose);
  for (const name of ["result", "fault", "verdict"]) {
    filters.elements[name].addEventListener("change", choose);
  }
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(choose));
  pages.children.back.addEventListener("click", () => turn(-1));
  pages.children.next.addEventListener("click", () => turn(1));
  filters.hidden = false;
  mark();
  choose();
})();
