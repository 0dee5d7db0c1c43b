// Turns values and hostile text into elements: always as text, never as HTML.
"use strict";

const CONTROLS = { "\0": "NUL", "\t": "TAB", "\n": "LF", "\r": "CR", "\x1b": "ESC", " ": "SP" };
const UNSEEN = /((?<=(?:^|\n) *) | (?= *(?:\n|$))|(?! )[\p{C}\p{Z}])/u;
const UNPRINTED = /((?![ \n\t])[\p{C}\p{Z}])/u; // in text with its own white space
const SEATS = new Set(["seat", "winner", "turn_of", "caller"]); // fields that hold a seat

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en-US");
const spaced = (key) => String(key).replaceAll("_", " ");

// Returns an element with properties or attributes; children that are null are left out.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

const sign = (title, text) => h("span", { className: "sign", title }, text);
const soft = (...children) => h("span", { className: "soft" }, ...children);
const code = (...children) => h("code", {}, ...children);
const alarm = (text) => h("p", { className: "alarm" }, text);
const fact = (term, ...value) => h("div", {}, h("dt", {}, term), h("dd", {}, ...value));
const facts = (...children) => h("dl", { className: "facts" }, ...children);

// Returns text with a sign for each invisible character, as page.py does.
function visible(text, unseen = UNSEEN) {
  return text.split(unseen).flatMap((part, n) => {
    if (n % 2 === 0) return part ? [part] : [];
    const point = part.codePointAt(0).toString(16).toUpperCase();
    const title = `U+${point.padStart(4, "0")}`;
    return [sign(title, CONTROLS[part] ?? title), ...(part === "\n" ? ["\n"] : [])];
  });
}

function visibleBytes(base64) {
  return [...atob(base64)].map((char) => {
    const byte = char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
    return char >= " " && char <= "~" ? char : sign(`byte ${byte}`, byte);
  });
}

// Returns the visible name of a player; a forged log may name other seats.
const nameOf = (seat) => visible(index.names[seat] ?? `seat ${seat}`);
const player = (seat) => h("bdi", {}, ...nameOf(seat));

// Returns the name of a player as plain text, with the names of invisible characters.
const playerText = (seat) => nameOf(seat).map((part) => part.title ?? part).join("");

// Returns a sentence in which names with right-to-left letters reorder no other words.
function isolated(sentence) {
  if (!index.isolated) return sentence;
  return sentence.replaceAll(new RegExp(index.isolated, "g"), "\u2068$&\u2069");
}

// --- Values --------------------------------------------------------------------------------------

const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);
// Whether a value stands for a number too large for JavaScript, or for a text that was cut.
const isWord = (value) => isObject(value) && ("\0int" in value || "\0cut" in value);
const isRecord = (value) => isObject(value) && !isWord(value);
const isPlain = (value) => value === null || typeof value !== "object" || isWord(value);
const isList = (value) => Array.isArray(value) && value.every(isPlain);
const same = (left, right) => left === right || JSON.stringify(left) === JSON.stringify(right);

// Returns a text that was cut, without its middle.
const joined = (cut) => `${cut["\0cut"]} … ${cut.end}`;

// Returns a value in words; nested values as JSON.
function word(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (typeof value === "number") return number.format(value);
  if (isList(value)) return value.map(word).join(" ");
  if (!isWord(value)) return JSON.stringify(value);
  return String(value["\0int"] ?? `${joined(value)} (${number.format(value.of)} characters)`);
}

const shown = (value) => (word(value) === "" ? [soft("empty")] : visible(word(value)));
const chips = (values) =>
  h("span", { className: "chips" }, values.map((value) => code(...shown(value))));

// Returns the value of a field; a seat becomes the player.
function valueOf(key, value) {
  if (key === "winners" && isList(value) && value.length) {
    return value.flatMap((seat, n) => [n ? ", " : "", player(seat)]);
  }
  if (SEATS.has(key) && Number.isInteger(value)) return [player(value), soft(` (${value})`)];
  return shown(value);
}

// Returns a text of the rulebook with its code and emphasis as elements.
function quoted(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part, n) => {
    if (n % 2 === 0) return part;
    if (part.startsWith("`")) return code(part.slice(1, -1));
    const bold = part.startsWith("**");
    return bold ? h("strong", {}, part.slice(2, -2)) : h("em", {}, part.slice(1, -1));
  });
}
