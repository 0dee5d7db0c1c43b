// Unpacks the events, chunk by chunk, when they are shown.
"use strict";

const CACHED = 24; // chunks that stay unpacked

let index; // the data about all events
const chunks = new Map(); // promises by chunk number, the last used at the end

async function unpack(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Returns one event with its causes and its state.
async function entry(seq) {
  const number = Math.floor(seq / index.chunk);
  const chunk = chunks.get(number) ?? unpack(`chunk-${number}`).then(withStates);
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
