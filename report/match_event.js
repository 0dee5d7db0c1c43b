// Shows one event: its fields, clause, question, answer and dice.
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
  const out = findings.map((finding) => h("div", { className: "problem" },
    h("p", {}, h("strong", {}, `◆ ${finding.rule} (${finding.clause}, ${finding.severity})`)),
    h("p", {}, finding.sentence),
    h("p", {}, soft("expected "), ...shown(finding.expected), soft(" found "), ...shown(finding.found))));
  if (seq === index.divergence?.seq) {
    const { field, recorded, recomputed } = index.divergence;
    out.push(h("div", { className: "problem" },
      h("p", {}, h("strong", {}, "✕ The log diverges here: "), code(field || "the event")),
      h("p", {}, soft("recorded "), ...shown(recorded),
        soft(" recomputed "), ...shown(recomputed))));
  }
  if (seq >= index.replayed) out.push(h("p", { className: "soft" }, index.not_replayed));
  return out;
}

function clause(named) {
  if (!named) return [];
  const isKnown = Object.hasOwn(index.clauses, named);
  const text = isKnown ? index.clauses[named] : "The rulebook has no such clause.";
  return [h("div", { className: "clause" },
    h("p", {}, h("strong", {}, named), " ", ...quoted(text)))];
}

// Returns the output of a bot in an event: for each channel its field, name and visible text.
function channels(event) {
  return ["output", "appended", "file"].flatMap((channel) => {
    if (channel in event) {
      const text = word(event[channel]);
      return [[channel, channel, ...(text ? visible(text) : [soft("nothing")])]];
    }
    const field = `${channel}_base64`;
    if (!(field in event)) return [];
    const text = isWord(event[field]) ? event[field]["\0cut"] : event[field];
    const bytes = visibleBytes(text);
    return [[field, `${channel}, not UTF-8`, ...bytes, isWord(event[field]) ? "…" : ""]];
  });
}

function answer(entry, answered) {
  if (!answered) return [];
  const { event, question, notes = [] } = answered;
  const carried = event[index.carriers[event.type]];
  const output = channels(event);
  const link = entry === answered ? []
    : [", event ", h("a", { href: `#seq=${entry.answer}` }, entry.answer)];
  const out = [h("h4", {}, "Question and answer", ...link)];
  if (question) out.push(questionFacts(question, event.seat));
  if (output.length) {
    out.push(h("dl", { className: "said" }, output.map(([, channel, ...text]) =>
      fact(channel, h("samp", {}, ...text)))));
  }
  if (carried) out.push(facts(carried.map((choice, seat) => fact(player(seat), code(...shown(choice))))));
  if (!carried && !output.length) {
    out.push(h("p", {}, soft("No output of the bot is on record.")));
  }
  return [...out, ...evidence(notes, carried)];
}

// Returns the referee's notes on an answer; those on the answers of all seats name the players.
function evidence(notes, ofAll) {
  const wrote = notes.filter(({ stderr }) => stderr).map(({ seat, stderr }) =>
    fact(ofAll && seat !== null ? player(seat) : "standard error",
      h("samp", { tabIndex: 0 }, ...visible(word(stderr), UNPRINTED))));
  const out = wrote.length ? [h("h4", {}, "On standard error"), h("dl", { className: "said stderr" }, wrote)] : [];
  for (const { seat, values } of notes) {
    const entries = Object.entries(values).flatMap(([key, value], n) =>
      [n ? ", " : " ", key, " ", h("samp", {}, ...shown(value))]);
    const whose = ofAll && seat !== null ? [" on ", player(seat)] : [];
    if (entries.length) {
      out.push(h("p", {}, soft("The referee’s word", ...whose, ", which no replay can check:", ...entries)));
    }
  }
  return out;
}

function questionFacts({ ask, observation, legal }, seat) {
  const element = (value) => value === null ? soft("nothing yet")
    : Array.isArray(value) ? chips(value) : code(...shown(value));
  return facts(
    fact("asked", seat === undefined ? "all seats" : player(seat), soft(` ${ask}`)),
    Object.entries(observation).map(([key, value]) => fact(spaced(key), element(value))),
    fact("legal", legal.length ? chips(legal) : soft("no answer is expected")));
}

function dice(drawn) {
  if (!drawn.length) return [];
  return [h("h4", {}, "Dice"), ...drawn.map((die) => h("div", { className: "die" },
    h("div", { className: "outcome", tabIndex: die.outcome.length > 400 ? 0 : -1 },
      code(die.label), " → ", ...visible(die.outcome)),
    h("div", { className: "command" },
      h("pre", { tabIndex: 0 }, die.command), copier(die.command))))];
}

function copier(text) {
  const button = h("button", { type: "button" }, "Copy");
  button.addEventListener("click", () => copy(text, button));
  return button;
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // some browsers refuse this to a page from disk
    const focused = document.activeElement;
    const area = h("textarea", { value: text, className: "unseen" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    focused.focus();
  }
  button.dataset.label ??= button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}
