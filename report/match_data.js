// Unpacks the events, chunk by chunk, when they are shown.
"use strict";

const CACHED = 24; // chunks that stay unpacked

let index; // the data about all events
const chunks = new Map(); // promises by chunk number, the last used at the end

const parts = new Map(); // functions that take the text of a chunk's file, by chunk

// Called by the file of a chunk, which holds the events of a long match on a site.
function receive(id, text) {
  parts.get(id)(text);
}

// Loads the file of a chunk as a script, because a page from disk can load nothing else.
function loaded(id) {
  return new Promise((resolve, reject) => {
    parts.set(id, resolve);
    const script = document.createElement("script");
    script.src = `${index.files}.${id}.js`;
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
    document.head.append(script);
  });
}

async function unpack(id) {
  const text = $(id)?.textContent ?? await loaded(id);
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Returns one event with its causes and its state.
async function entry(seq) {
  const number = Math.floor(seq / index.chunk);
  const chunk = chunks.get(number) ?? unpack(`chunk-${number}`).then(withStates);
  chunk.catch(() => chunks.delete(number)); // the next call loads it again
  chunks.delete(number);
  chunks.set(number, chunk);
  if (chunks.size > CACHED) chunks.delete(chunks.keys().next().value);
  return (await chunk)[seq % index.chunk];
}

function withStates(entries) {
  let state = null;
  for (const entry of entries) {
    if ("state" in entry) state = entry.state;
    for (const [path, value] of entry.changes ?? []) state = replaced(state, path, value);
    entry.state = state;
  }
  return entries;
}

// Returns a copy of a state with another value at one path; the rest is shared.
function replaced(state, [key, ...rest], value) {
  if (key === undefined) return value;
  const copy = Array.isArray(state) ? [...state] : { ...state };
  copy[key] = replaced(state[key], rest, value);
  return copy;
}
