// The events, unpacked piece by piece as they are looked at.
"use strict";

const KEPT = 24; // pieces that stay unpacked

let index; // what is known of every event
const pieces = new Map(); // as promises, by number, the one used last at the end

async function unpack(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// One event with all that is behind it, and the state.
async function entry(seq) {
  const at = Math.floor(seq / index.piece);
  const found = pieces.get(at) ?? unpack(`piece-${at}`).then(withStates);
  pieces.delete(at);
  pieces.set(at, found);
  if (pieces.size > KEPT) pieces.delete(pieces.keys().next().value);
  return (await found)[seq % index.piece];
}

function withStates(entries) {
  let state = null;
  for (const one of entries) {
    if ("state" in one) state = one.state;
    for (const [path, value] of one.changes ?? []) state = replaced(state, path, value);
    one.state = state;
  }
  return entries;
}

// A copy of a state with another value at one place; the rest is shared.
function replaced(state, [key, ...rest], value) {
  if (key === undefined) return value;
  const copy = Array.isArray(state) ? [...state] : { ...state };
  copy[key] = replaced(state[key], rest, value);
  return copy;
}
