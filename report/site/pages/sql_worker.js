// Runs queries in DuckDB, on the tables of the site.

import { BROWSER_RUNTIME, VoidLogger, createDuckDB } from "./duckdb.mjs";
import { checkThere, fetched } from "./fetched.js";

console.warn = () => {}; // DuckDB warns of each file that COPY makes

const site = new URL("../", import.meta.url);
const fromSite = (name) => fetched(name, new URL(name, site));

class NoNetwork {
  constructor() {
    throw new Error("a query reads the tables of this site only");
  }
}

async function load() {
  const catalog = await (await fromSite("data/catalog.json")).json();
  postMessage({ loading: "Loading DuckDB …" });
  await checkThere("tools/duckdb.wasm", new URL("duckdb.wasm", import.meta.url));
  const module = { mainModule: new URL("duckdb.wasm", import.meta.url).href };
  const bindings = await createDuckDB({ mvp: module, eh: module }, new VoidLogger(), BROWSER_RUNTIME);
  await bindings.instantiate();
  postMessage({ loading: "Loading the tables …" });
  const data = await (await fromSite("data/tables.duckdb")).arrayBuffer();
  // DuckDB needs no network from here on: a query such as FROM 'https://…' finds none.
  for (const name of ["XMLHttpRequest", "fetch", "WebSocket", "EventSource", "WebTransport"]) {
    self[name] = NoNetwork;
  }
  bindings.registerFileBuffer("tables.duckdb", new Uint8Array(data));
  const execute = bindings.connect().useUnsafe((_, id) => (sql) => bindings.runQuery(id, sql));
  execute("SET autoinstall_known_extensions = false");
  execute("SET autoload_known_extensions = false");
  execute("ATTACH 'tables.duckdb' AS site (READ_ONLY)");
  execute("SET search_path = 'memory,site'");
  catalog.setup.forEach(execute);
  postMessage({ catalog });
  const tables = catalog.tables.map(({ name }) => `'${name}'`);
  return { bindings, execute, tables, views: catalog.views, made: new Set() };
}

const ready = load();
ready.catch((error) => postMessage({ error: `The tables cannot be loaded: ${error.message}` }));

// Make each view that a query names, and those that it needs, and keep its rows in a temporary
// table of the same name: DuckDB would inline nested views again and again.
function makeViews({ execute, views, made }, query) {
  const words = new Set(query.toLowerCase().match(/\w+/g));
  for (const view of Object.keys(views).filter((name) => words.has(name))) {
    for (const needed of views[view].needs.filter((name) => !made.has(name))) {
      try {
        execute(views[needed].sql.replaceAll(/^CREATE (VIEW|MACRO)/gm, "CREATE OR REPLACE $1"));
        execute(`CREATE TEMP TABLE "${needed}" AS FROM memory.main."${needed}"`);
      } catch (error) {
        throw new Error(`The view ${needed} cannot be made in a browser; koth sql has it. ${error.message}`);
      }
      made.add(needed);
    }
  }
}

const SEMICOLON = ";".charCodeAt(0);

// A query without the comments before it, the semicolons at its end and the comments after them.
function trimmed({ bindings }, text) {
  const data = new TextEncoder().encode(text);
  const { offsets } = bindings.tokenize(text); // of words; comments are none
  let end = data.length;
  while (data[offsets.at(-1)] === SEMICOLON) end = offsets.pop();
  return new TextDecoder().decode(data.subarray(offsets[0] ?? end, end)).trim();
}

// DuckDB does not know a view before it is made.
function asQuery(text, tables) {
  if (/^(\.tables|show\s+(all\s+)?tables)$/i.test(text)) return `SELECT unnest([${tables}]) AS name`;
  return /^\w+$/.test(text) ? `FROM ${text}` : text;
}

const NO_JSON =
  "Expected no JSON functions, found -> or json_…: DuckDB for browsers has none. " +
  "JSON is text here: ->> reads it with a key or an index. koth sql has the functions.";

let number = 0;

function rows({ bindings, execute }, query) {
  const file = `rows${number++}.csv`;
  const source = /^(desc|describe|show|summarize)\s/i.test(query) ? `FROM (\n${query}\n)` : query;
  try {
    execute(`COPY (\n${source}\n) TO '${file}' (FORMAT csv, HEADER)`);
  } catch {
    // Without COPY, DuckDB's message quotes the query as it was typed. A statement changes nothing.
    execute("BEGIN");
    try {
      execute(query);
    } finally {
      execute("ROLLBACK");
    }
    if (/^explain\s/i.test(query)) throw new Error("EXPLAIN does not work in a browser; koth sql has it.");
    throw new Error("Expected one query that returns rows, such as FROM players or DESCRIBE players, found another statement, or several.");
  }
  const csv = bindings.copyFileToBuffer(file);
  bindings.dropFile(file);
  return csv;
}

onmessage = async ({ data }) => {
  try {
    const loaded = await ready;
    const text = trimmed(loaded, data);
    if (!text) throw new Error("Expected a query, such as FROM players, found none.");
    const query = asQuery(text, loaded.tables);
    const begin = performance.now();
    makeViews(loaded, query);
    const csv = rows(loaded, query);
    postMessage({ csv, seconds: (performance.now() - begin) / 1000 });
  } catch (error) {
    // A parser error quotes its line twice.
    const message = error.message.trimEnd().replace(/(\n\nLINE \d+: [^]+)\1$/, "$1");
    const isJson = message.includes("exists in the json extension");
    postMessage({ error: isJson ? NO_JSON : message });
  }
};
