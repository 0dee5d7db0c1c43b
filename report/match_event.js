// One event in full: its fields, clause, question, answer and dice.
"use strict";

function fields(event) {
  const hidden = new Set(["type", "seat", "ask", ...channels(event).map(([field]) => field)]);
  const entries = Object.entries(event).filter(([key]) => !hidden.has(key));
  if (!entries.length) return [];
  return [facts(entries.map(([key, value]) => fact(spaced(key), ...nested(key, value))))];
}

function nested(key, value) {
  if (isPlain(value) || isList(value)) return valueOf(key, value);
  if (Array.isArray(value) && value.every(isObject)) return [objects(key, value, value)];
  const items = Object.entries(value).map(([inner, one]) =>
    h("li", {}, soft(spaced(inner)), " ", ...nested(inner, one)));
  return [h("ul", { className: "nested" }, items)];
}

function problems(seq, findings) {
  const compared = (expected, found) =>
    h("p", {}, soft("expected "), ...shown(expected), soft(" found "), ...shown(found));
  const out = findings.map((found) => h("div", { className: "problem" },
    h("p", {}, h("strong", {}, `◆ ${found.rule} (${found.clause}, ${found.severity})`)),
    h("p", {}, found.sentence),
    compared(found.expected, found.found)));
  if (seq === index.divergence?.seq) {
    const { field, recorded, recomputed } = index.divergence;
    out.push(h("div", { className: "problem" },
      h("p", {}, h("strong", {}, "✕ The log diverges here: "), code(field || "the event")),
      h("p", {}, soft("recorded "), ...shown(recorded),
        soft(" recomputed "), ...shown(recomputed))));
  }
  if (seq >= index.replayed) out.push(h("p", { className: "soft" }, index.unreplayed));
  return out;
}

function clause(named) {
  if (!named) return [];
  const text = index.clauses[named] ?? "This clause is not in the rulebook.";
  return [h("div", { className: "clause" },
    h("p", {}, h("strong", {}, named), " ", ...quoted(text)))];
}

// What a bot wrote, as far as an event has it: the field, the channel, and the text made visible.
function channels(event, most = Infinity) {
  return ["output", "appended", "file"].flatMap((channel) => {
    if (channel in event) {
      const text = word(event[channel]);
      const cut = text.length > most ? `${text.slice(0, most)}…` : text;
      return [[channel, channel, ...(text ? visible(cut) : [soft("nothing")])]];
    }
    const field = `${channel}_base64`;
    if (!(field in event)) return [];
    const text = isWord(event[field]) ? event[field]["\0cut"] : event[field];
    const bytes = visibleBytes(text).slice(0, most);
    return [[field, `${channel}, no UTF-8`, ...bytes, isWord(event[field]) ? "…" : ""]];
  });
}

function answer(one, answered) {
  if (!answered) return [];
  const { event, question, evidence } = answered;
  const carried = event[index.carriers[event.type]];
  const said = channels(event);
  const link = one === answered ? []
    : [", event ", h("a", { href: `#seq=${one.answer}` }, String(one.answer))];
  const out = [h("h4", {}, "Question and answer", ...link)];
  if (question) out.push(asked(question, event.seat));
  if (said.length) {
    out.push(h("dl", { className: "said" }, said.map(([, channel, ...text]) =>
      fact(channel, h("span", { className: "answer" }, ...text)))));
  }
  if (carried) out.push(facts(carried.map((one, seat) => fact(player(seat), code(...shown(one))))));
  if (!carried && !said.length) {
    out.push(h("p", {}, soft("Nothing that it wrote is on record.")));
  }
  if (evidence) {
    const notes = Object.entries(evidence).flatMap(([key, value], n) =>
      [n ? ", " : " ", key, " ", h("span", { className: "answer" }, ...shown(value))]);
    out.push(h("p", {}, soft("The referee’s word, which no replay can check:", ...notes)));
  }
  return out;
}

function asked({ ask, observation, legal }, seat) {
  const told = (value) => {
    if (value === null) return soft("nothing yet");
    return Array.isArray(value) ? chips(value) : code(...shown(value));
  };
  return facts(
    fact("asked", seat === undefined ? "all seats" : player(seat), soft(` ${ask}`)),
    Object.entries(observation).map(([key, value]) => fact(spaced(key), told(value))),
    fact("legal", legal.length ? chips(legal) : soft("nothing is to be said")));
}

function dice(found) {
  if (!found.length) return [];
  return [h("h4", {}, "Dice"), ...found.map((die) => h("div", { className: "die" },
    h("div", { className: "outcome", tabIndex: die.outcome.length > 400 ? 0 : -1 },
      code(die.label), " → ", ...visible(die.outcome)),
    h("div", { className: "command" },
      h("pre", { tabIndex: 0 }, die.command), copier(die.command))))];
}

function copier(text) {
  const button = h("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // not every browser lets a page from disk do so
      const area = h("textarea", { value: text, className: "unseen" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}
