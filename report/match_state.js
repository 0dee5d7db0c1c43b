// The state after an event, and what changed in it.
"use strict";

const LISTED = 60; // changes named one by one
const BRIEF = 24; // characters of a value that is shown beside the one that replaced it
const TAIL = 12; // characters of a text that has grown, before what came to it
const ORDER = "order"; // the list as long as there are seats that is not by seat

// Lists as long as there are seats have a value for each.
const isBySeat = (key, value) =>
  Array.isArray(value) && value.length > 0 && value.length === index.names.length && key !== ORDER;

function changes(before, after) {
  if (!before || !after) return [];
  const found = [...leaves(before, after, [])];
  if (!found.length) return [];
  const items = found.slice(0, LISTED).map(([path, was, now]) => {
    const key = path.at(-1);
    const brief = was !== undefined && word(was).length <= BRIEF && !hasGrown(was, now);
    const old = brief ? [h("del", { className: "was" }, ...valueOf(key, was)), " → "] : [];
    return h("li", {}, soft(...where(path, after)), " ", ...old, ...marked(key, was, now, TAIL));
  });
  const more = found.length - LISTED;
  if (more > 0) items.push(h("li", {}, `and ${number.format(more)} more`));
  return [h("h4", {}, "What changed"), h("ul", { className: "changes" }, items)];
}

// The smallest values that differ: the way to each, what it was, and what it is.
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

// The way to a value in words: a place in a list by seat is the player.
function where(path, state) {
  const [key, at, ...rest] = path;
  if (at === undefined || !isBySeat(key, state[key])) return [path.map(spaced).join(" ")];
  const words = isPlain(state[key][at]) ? [key] : rest;
  return [player(at), " ", words.map(spaced).join(" ")];
}

const hasGrown = (was, now) =>
  typeof was === "string" && typeof now === "string"
  && was !== "" && now.length > was.length && now.startsWith(was);

// A new value, marked; of a text that has grown what came to it, behind so much of what was there.
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
    if (Array.isArray(value) && value.length && value.every((one) => !isPlain(one))) {
      tables.push(objects(key, value, was[key]));
    } else if (isBySeat(key, value)) {
      seats.push(key);
    } else if (isObject(value) && !isWord(value)) {
      for (const [inner, one] of Object.entries(value)) {
        single.push(fact(spaced(`${key} ${inner}`), cell(inner, one, was[key]?.[inner])));
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

// A value, marked where it is not what it was; of a list only those that are not.
function cell(key, now, was) {
  if (same(now, was)) return h("span", { className: "wrap" }, ...valueOf(key, now));
  if (isList(now) && isList(was) && now.length === was.length) {
    return h("span", {}, now.flatMap((one, n) =>
      [n ? " " : "", ...(same(one, was[n]) ? shown(one) : marked(null, was[n], one))]));
  }
  return h("span", { className: "wrap" }, ...marked(key, was, now));
}

// A table with a row for each of some objects; if they are of a seat, by the player's name.
function objects(label, items, was) {
  const keys = Object.keys(items[0]).filter((key) => key !== "seat");
  const kind = (value) => ({ className: typeof value === "number" ? "number" : "" });
  const head = keys.map((key) => h("th", { scope: "col", ...kind(items[0][key]) }, spaced(key)));
  const rows = items.map((one, n) => h("tr", {},
    h("th", { scope: "row" }, "seat" in one ? player(one.seat) : String(n)),
    keys.map((key) => h("td", kind(one[key]), cell(key, one[key], was?.[n]?.[key])))));
  const region = { className: "scroll", tabIndex: 0, role: "region", "aria-label": spaced(label) };
  return h("div", region,
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, spaced(label)), head)),
      h("tbody", {}, rows)));
}
