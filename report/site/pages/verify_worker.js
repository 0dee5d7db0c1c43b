// Runs Koth's own verification in Pyodide, one task after the other.

import { checkThere, fetched } from "./fetched.js";
import { loadPyodide } from "./pyodide.mjs";

const tools = new URL("./", import.meta.url).href;
const PACKAGES = "/lib/koth";
const LOADED = ["pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"];

const tool = (name) => fetched(`tools/${name}`, tools + name);

async function load() {
  const { archives, version } = await (await tool("runtime.json")).json();
  postMessage({ loading: "Python" });
  await Promise.all(LOADED.map((name) => checkThere(`tools/${name}`, tools + name)));
  const [python, ...contents] = await Promise.all([
    loadPyodide({ indexURL: tools }),
    ...archives.map(async (name) => (await tool(name)).arrayBuffer()),
  ]);
  postMessage({ loading: "the rules" });
  for (const content of contents) {
    python.unpackArchive(content, "zip", { extractDir: PACKAGES });
  }
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  const koth = python.pyimport("report.site.in_browser");
  postMessage({ version });
  return { python, koth };
}

const ready = load();
ready.catch((error) => postMessage({ error: `The rules cannot be loaded: ${error.message}` }));

const PLACE = "/visitor";
const FOLDERS = ["files", "proof", "since"];
const INSIDE = "chosen"; // at its top, WORKERFS fails for names such as "constructor"

const placeOf = (folder) => `${PLACE}/${folder}/${INSIDE}`;

// Make the visitor's files readable for Python, without a copy of them, while a function runs.
function withFiles({ FS }, contents, run) {
  FOLDERS.forEach((folder, at) => {
    FS.mkdirTree(`${PLACE}/${folder}`);
    const blobs = contents[at].map(([name, data]) => ({ name: `${INSIDE}/${name}`, data }));
    FS.mount(FS.filesystems.WORKERFS, { blobs }, `${PLACE}/${folder}`);
  });
  FS.chdir(placeOf("files"));
  try {
    return run();
  } finally {
    FS.chdir("/");
    for (const folder of FOLDERS) FS.unmount(`${PLACE}/${folder}`);
  }
}

function verify(koth, { number, path, proof, found, since, key, origin, offer }) {
  const offered = offer ? JSON.parse(koth.offered(path)) : null;
  const isOffered = offered?.key && offered.origin;
  if (isOffered) ({ key, origin } = offered);
  const proofPath = proof ? `${placeOf("proof")}/${proof[0]}` : isOffered ? offered.proof : found;
  let last = 0;
  const progress = (done, total) => {
    if (performance.now() < last + 200) return;
    last = performance.now();
    postMessage({ number, done, total });
  };
  const sincePath = since.length ? placeOf("since") : undefined;
  return { offered, ...JSON.parse(koth.verify(path, proofPath ?? undefined, key, origin, sincePath, progress)) };
}

let last = Promise.resolve();

onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      const { python, koth } = await ready;
      const begin = performance.now();
      const contents = [data.files, data.proof ? [data.proof] : [], data.since];
      const result = withFiles(python, contents, () => verify(koth, data));
      const seconds = (performance.now() - begin) / 1000;
      postMessage({ ...result, number: data.number, seconds });
    } catch (error) {
      postMessage({ number: data.number, error: `${data.name}: the rules failed: ${error.message}` });
    }
  });
};
