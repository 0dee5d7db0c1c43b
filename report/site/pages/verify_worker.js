// Runs Koth's own verification in Pyodide, one log after the other.

import { loadPyodide } from "./pyodide.mjs";

const tools = new URL("./", import.meta.url).href;
const PACKAGES = "/lib/koth";

async function load() {
  const { archives, version } = await (await fetch(`${tools}runtime.json`)).json();
  postMessage({ loading: "Python" });
  const contents = archives.map(async (name) => (await fetch(tools + name)).arrayBuffer());
  const python = await loadPyodide({ indexURL: tools });
  postMessage({ loading: "the rules" });
  for (const content of contents) {
    python.unpackArchive(await content, "zip", { extractDir: PACKAGES });
  }
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  const verify = python.pyimport("report.site.in_browser").verify;
  postMessage({ version });
  return { python, verify };
}

const ready = load();
ready.catch((error) => postMessage({ error: `The rules cannot be loaded: ${error.message}` }));

function run({ python, verify }, { name, log, proof, key, origin }) {
  const { FS } = python;
  FS.mkdirTree("/log/proof");
  const path = `/log/${name.replaceAll("/", "_")}`;
  try {
    FS.writeFile(path, new Uint8Array(log));
    if (proof) FS.writeFile("/log/proof/proof", new Uint8Array(proof));
    return JSON.parse(verify(path, proof ? "/log/proof/proof" : null, key, origin));
  } finally {
    for (const file of [path, "/log/proof/proof"]) {
      if (FS.analyzePath(file).exists) FS.unlink(file);
    }
  }
}

const hex = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

let last = Promise.resolve();

onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      const loaded = await ready;
      const begin = performance.now();
      const result = run(loaded, data);
      const seconds = (performance.now() - begin) / 1000;
      const sha256 = hex(await crypto.subtle.digest("SHA-256", data.log));
      postMessage({ ...result, name: data.name, seconds, sha256 });
    } catch (error) {
      postMessage({ error: `${data.name}: the rules failed: ${error.message}` });
    }
  });
};
