// Shows the state after an event, and what changed in it.
"use strict";

const MAX_CHANGES = 60; // changes that are listed
const BRIEF = 24; // maximum characters of an old value that is shown beside the new one
const TAIL = 12; // old characters shown before the new ones of a text that grew
const ORDER = "order"; // a list with one entry per seat that is not by seat

// A list that always has as many entries as the match has seats has one for each seat.
const isBySeat = (key, value) =>
  Array.isArray(value) && value.length > 0 && value.length === index.names.length
  && !index.not_by_seat.includes(key) && key !== ORDER;

function changes(before, after) {
  if (!before || !after) return [];
  const changed = [...leaves(before, after, [])];
  if (!changed.length) return [];
  const items = changed.slice(0, MAX_CHANGES).map(([path, was, now]) => {
    const key = path.at(-1);
    const brief = was !== undefined && word(was).length <= BRIEF && !hasGrown(was, now);
    const old = brief ? [h("del", { className: "was" }, ...valueOf(key, was)), " → "] : [];
    return h("li", {}, soft(...where(path, after)), " ", ...old, ...marked(key, was, now, TAIL));
  });
  const more = changed.length - MAX_CHANGES;
  if (more > 0) items.push(h("li", {}, `and ${number.format(more)} more`));
  return [h("h4", {}, "What changed"), h("ul", { className: "changes" }, items)];
}

// Yields the smallest values that differ: path, old value and new value.
function* leaves(before, after, path) {
  if (same(before, after)) return;
  const alike = !isPlain(before) && !isPlain(after)
    && Array.isArray(before) === Array.isArray(after)
    && Object.keys(before).length === Object.keys(after).length;
  if (!alike) {
    yield [path, before, after];
    return;
  }
  for (const key of Object.keys(after)) {
    const place = Array.isArray(after) ? Number(key) : key;
    yield* leaves(before[key], after[key], [...path, place]);
  }
}

// Returns a path in words; in a list by seat, the index becomes the player.
function where(path, state) {
  const [key, at, ...rest] = path;
  if (at === undefined || !isBySeat(key, state[key])) return [path.map(spaced).join(" ")];
  const words = isRecord(state[key][at]) ? rest : [key, ...rest];
  return [player(at), " ", words.map(spaced).join(" ")];
}

const hasGrown = (was, now) =>
  typeof was === "string" && typeof now === "string"
  && was !== "" && now.length > was.length && now.startsWith(was);

// Marks a new value; of a text that grew, only the new characters, after the last `tail` old ones.
function marked(key, was, now, tail = Infinity) {
  if (!hasGrown(was, now)) return [h("span", { className: "changed" }, ...valueOf(key, now))];
  const kept = was.length > tail ? `…${was.slice(-tail)}` : was;
  return [...visible(kept), h("span", { className: "changed" }, ...shown(now.slice(was.length)))];
}

function state(before, after) {
  if (!after) return [];
  const was = before ?? after;
  const single = [], seats = [], tables = [];
  for (const [key, value] of Object.entries(after)) {
    if (isBySeat(key, value) && !value.every(isRecord)) {
      seats.push(key);
    } else if (Array.isArray(value) && value.length && value.every((item) => !isPlain(item))) {
      tables.push(objects(key, value, was[key]));
    } else if (isRecord(value)) {
      for (const [inner, field] of Object.entries(value)) {
        single.push(fact(spaced(`${key} ${inner}`), cell(inner, field, was[key]?.[inner])));
      }
    } else {
      single.push(fact(spaced(key), cell(key, value, was[key])));
    }
  }
  const players = index.names.map((_, seat) =>
    Object.fromEntries([["seat", seat], ...seats.map((key) => [key, after[key][seat]])]));
  const others = index.names.map((_, seat) =>
    Object.fromEntries(seats.map((key) => [key, was[key]?.[seat]])));
  return [h("h4", {}, "State"), h("div", { className: "state" },
    facts(single), seats.length ? objects("player", players, others) : null, tables)];
}

// Marks a value that changed; of a list, only the items that changed.
function cell(key, now, was) {
  if (same(now, was)) return h("span", { className: "wrap" }, ...valueOf(key, now));
  if (isList(now) && isList(was) && now.length === was.length) {
    return h("span", {}, now.flatMap((item, n) =>
      [n ? " " : "", ...(same(item, was[n]) ? shown(item) : marked(null, was[n], item))]));
  }
  return h("span", { className: "wrap" }, ...marked(key, was, now));
}

// Returns a table with one row per object, named after the player if the object has a seat.
function objects(label, items, was) {
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((key) => key !== "seat");
  const kind = (value) => ({ className: typeof value === "number" ? "number" : "" });
  const first = (key) => items.find((item) => key in item)[key];
  const head = keys.map((key) => h("th", { scope: "col", ...kind(first(key)) }, spaced(key)));
  const rows = items.map((item, n) => h("tr", {},
    h("th", { scope: "row" }, "seat" in item ? player(item.seat) : String(n)),
    keys.map((key) => h("td", kind(item[key]), cell(key, item[key], was?.[n]?.[key])))));
  const group = { className: "scroll", tabIndex: 0, role: "group", "aria-label": spaced(label) };
  return h("div", group,
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, spaced(label)), head)),
      h("tbody", {}, rows)));
}
