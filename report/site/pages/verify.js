// The page that verifies logs: files in, the worker's verdict out.

import { fetched } from "./fetched.js";

const site = new URL("../", import.meta.url);
const element = (name) => document.getElementById(`koth-${name}`);

// A worker made from a blob obeys the page's Content-Security-Policy, so that no code in it, not
// even a game's, can send the files to another server.
const start = `import ${JSON.stringify(new URL("verify_worker.js", import.meta.url).href)};`;
const blob = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));
const worker = new Worker(blob, { type: "module" });

const VOUCHED = {
  visitor: "The key and the origin are those that you gave.",
  site:
    "The key and the origin came from this site. So the signature shows only that this site has the files that its key " +
    "signed, not whose key it is. Compare the key with the one that the organiser published elsewhere.",
  files:
    "The key and the origin came with the files. So the signature shows only that they belong together, not whose key " +
    "it is. Compare the key with the one that the organiser published elsewhere.",
};

let chosen = null; // {name, path, files, proof, found}: pairs of paths and contents, the path to verify, and
// the path of a proof that was found among the files
let source = "visitor"; // the origin of the key in the form: a key of VOUCHED
let number = 0; // of the verification whose result is awaited
let loaded = false;
let lost = ""; // why the worker cannot start, if it cannot
let begin = 0;
let timer = 0;
let done = "";

// A name without characters that would hide or turn parts of it, as commands show it.
function printable(name) {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length < 5 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
}

function progress(text) {
  element("progress").textContent = text;
}

function fail(text) {
  clearInterval(timer);
  progress(text);
  element("progress").classList.add("alarm");
}

function tick() {
  const seconds = Math.round((performance.now() - begin) / 1000);
  const state = loaded ? `Verifying ${chosen.name}${done}` : `Loading, then verifying ${chosen.name}`;
  progress(`${state}: ${seconds} s`);
}

function pairs(input) {
  return [...input.files].map((file) => [file.name, file]);
}

function verify(mayOffer = false) {
  if (lost || !chosen) {
    fail(lost || "Expected a log or a folder, found none. Choose one above.");
    return;
  }
  element("result").hidden = true;
  element("progress").classList.remove("alarm");
  const [key, origin] = [element("key").value.trim(), element("origin").value.trim()];
  const { name, path, files } = chosen;
  const isSigned = key || origin;
  const proof = pairs(element("proof"))[0] ?? (isSigned ? chosen.proof : undefined);
  const found = isSigned ? chosen.found : undefined;
  begin = performance.now();
  done = "";
  clearInterval(timer);
  tick();
  timer = setInterval(tick, 500);
  number += 1;
  const offer = mayOffer && !key && !origin;
  const since = pairs(element("since"));
  worker.postMessage({ number, name, path, files, proof, found, since, key, origin, offer });
}

worker.onmessage = ({ data }) => {
  const isIdle = !chosen && !element("progress").classList.contains("alarm");
  if (data.number && data.number !== number) return;
  if (data.loading) {
    if (isIdle) progress(`Loading ${data.loading} …`);
  } else if (data.version) {
    loaded = true;
    element("version").textContent = data.version;
    if (isIdle) progress("Ready.");
  } else if (data.total) {
    done = `, log ${data.done.toLocaleString("en")} of ${data.total.toLocaleString("en")}`;
  } else {
    if (data.verdict) show(data);
    if (data.error) fail(data.error);
  }
};
worker.onerror = ({ message }) => {
  const problem = `The rules cannot be loaded: ${message ?? "this site lacks a file in tools/."}`;
  if (!loaded) lost = problem;
  fail(problem);
};

function show({ verdict, reason, line, logs, text, signed, unchecked, sha256, seconds, offered }) {
  clearInterval(timer);
  if (offered?.key) {
    fill(offered, "files");
    chosen.found = offered.proof ?? undefined;
  }
  const among = chosen.path === "." ? `, ${logs.toLocaleString("en")} ${logs === 1 ? "log" : "logs"}` : "";
  element("name").textContent = `${chosen.name}${among}`;
  element("verdict").textContent = verdict;
  element("verdict").dataset.verdict = verdict;
  element("line").textContent = line === null ? "" : `line ${line}`;
  element("reason").textContent = reason;
  element("details").textContent = text;
  const hash = sha256 ? ` SHA-256 of the file: ${sha256}` : "";
  element("checked").textContent =
    `Checked by your browser in ${seconds.toFixed(1)} s, with the rules from this site.${hash}`;
  const isUnchecked = unchecked || offered?.origin || chosen.proof;
  element("vouched").textContent = signed
    ? `Signatures were checked. ${VOUCHED[source]}`
    : isUnchecked
      ? "The files have a checkpoint. Its signature was not checked: that needs the key and the origin."
      : "No signature was checked.";
  element("result").hidden = false;
  progress("Done.");
}

function fill({ key, origin }, from) {
  element("key").value = key ?? "";
  element("origin").value = origin ?? "";
  element("signature").open = true;
  source = from;
}

function take(files) {
  if (!files.length) {
    fail("Expected a log or a folder with logs, found no files. Choose again.");
    return;
  }
  const tops = new Set(files.map(([path]) => path.split("/")[0]));
  const isWhole = tops.size === 1; // one file, or one folder
  const [top] = tops;
  chosen = isWhole
    ? { name: printable(top), path: top, files }
    : { name: `${files.length} files`, path: ".", files };
  if (source !== "visitor") fill({}, "visitor");
  verify(true);
}

// The files in a dropped file or folder, as the browser lists them.
async function filesOf(entry, above = "") {
  const path = above + entry.name;
  if (entry.isFile) return [[path, await new Promise((...both) => entry.file(...both))]];
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    const entries = await new Promise((...both) => reader.readEntries(...both));
    if (!entries.length) return files;
    for (const inner of entries) files.push(...(await filesOf(inner, `${path}/`)));
  }
}

async function takeDropped(items) {
  const entries = items.filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry());
  if (!entries.length) return; // a text or a link
  const files = [];
  for (const entry of entries) files.push(...(await filesOf(entry)));
  take(files);
}

// A link from a match page: only files of this site, in its folders logs and proofs.
async function takeLink(parameters) {
  const path = parameters.get("log");
  if (!path) return;
  const name = path.split("/").pop();
  chosen = { name: printable(name), path: name, files: [[name, await logOrProof(path)]] };
  const proof = parameters.get("proof");
  if (proof) chosen.proof = ["proof", await logOrProof(proof)];
  if (proof && signer) fill(signer, "site");
  verify();
}

async function logOrProof(path) {
  const url = new URL(path, site);
  const inside = url.href.startsWith(site.href) ? url.href.slice(site.href.length) : "";
  if (!/^((tournaments|contests)\/[^/]+\/)?(logs|proofs)\//.test(inside)) {
    throw new Error(`${path}: expected a path in logs/ or proofs/, found another.`);
  }
  return (await fetched(path, url)).blob();
}

for (const name of ["file", "folder"]) {
  element(name).addEventListener("change", ({ target }) => {
    const files = [...target.files].map((file) => [file.webkitRelativePath || file.name, file]);
    target.value = ""; // the same files, chosen again, are a change again
    take(files);
  });
}
element("again").addEventListener("click", () => verify());
element("offered").addEventListener("click", () => fill(signer, "site"));
for (const name of ["key", "origin"]) {
  element(name).addEventListener("input", () => (source = "visitor"));
}
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  takeDropped([...event.dataTransfer.items]).catch((error) => fail(`These files cannot be read: ${error.message}`));
});
progress("Loading …");
const { signer } = await (await fetch(new URL("runtime.json", import.meta.url))).json();
element("offer").hidden = !signer;
takeLink(new URLSearchParams(location.search)).catch((error) => {
  chosen = null;
  fail(error.message);
});
