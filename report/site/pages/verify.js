// The page that verifies a log: files in, the worker's verdict out.

const site = new URL("../", import.meta.url);
const element = (name) => document.getElementById(`koth-${name}`);

// A worker made from a blob obeys the page's Content-Security-Policy, so that no code in it, not
// even a game's, can send the log to another server.
const start = `import ${JSON.stringify(new URL("verify_worker.js", import.meta.url).href)};`;
const blob = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));
const worker = new Worker(blob, { type: "module" });

let log = null; // the chosen log: its name and its bytes
let timer = 0;

function progress(text) {
  element("progress").textContent = text;
}

function fail(text) {
  clearInterval(timer);
  progress(text);
  element("progress").classList.add("alarm");
}

async function verify() {
  if (!log) return;
  element("result").hidden = true;
  element("progress").classList.remove("alarm");
  if (!/\.jsonl$/.test(log.name)) {
    fail(`${log.name}: expected a log, NAME.jsonl. For anything else use koth verify.`);
    return;
  }
  const proof = element("proof").files[0];
  const message = {
    name: log.name,
    log: log.bytes,
    proof: proof ? await proof.arrayBuffer() : log.proof,
    key: element("key").value.trim(),
    origin: element("origin").value.trim(),
  };
  const begin = performance.now();
  const name = log.name;
  clearInterval(timer);
  const tick = () => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    progress(`${loaded ? "Verifying" : "Loading, then verifying"} ${name}: ${seconds} s`);
  };
  tick();
  timer = setInterval(tick, 500);
  worker.postMessage(message);
}

let loaded = false;

worker.onmessage = ({ data }) => {
  const isIdle = !log && !element("progress").classList.contains("alarm");
  if (data.loading) {
    if (isIdle) progress(`Loading ${data.loading} …`);
  } else if (data.version) {
    loaded = true;
    element("version").textContent = data.version;
    if (isIdle) progress("Ready.");
  } else if (data.error) {
    fail(data.error);
  } else {
    show(data);
  }
};
worker.onerror = (event) => fail(`The rules cannot be loaded: ${event.message}`);

function show({ name, verdict, reason, line, details, signed, sha256, seconds }) {
  clearInterval(timer);
  element("name").textContent = name;
  element("verdict").textContent = verdict;
  element("verdict").dataset.verdict = verdict;
  element("line").textContent = line === null ? "" : `line ${line}`;
  element("reason").textContent = reason;
  element("details").textContent = details.join("\n");
  const signature = signed
    ? "Signature and proof were checked against the key and the origin above."
    : "No signature was checked.";
  element("checked").textContent =
    `Checked by this browser in ${seconds.toFixed(1)} s. ${signature} SHA-256 of the log: ${sha256}`;
  element("result").hidden = false;
  progress("Done.");
}

async function take(file) {
  log = { name: file.name, bytes: await file.arrayBuffer() };
  await verify();
}

// A link from a match page: only files of this site, in its folder logs.
async function takeLink(parameters) {
  const path = parameters.get("log");
  if (!path) return;
  try {
    log = { name: path.split("/").pop(), bytes: await fetched(path) };
    const proof = parameters.get("proof");
    if (proof) log.proof = await fetched(proof);
    await verify();
  } catch (error) {
    log = null;
    fail(error.message);
  }
}

async function fetched(path) {
  const url = new URL(path, site);
  if (!url.href.startsWith(new URL("logs/", site).href)) {
    throw new Error(`${path}: expected a path in logs/, found another.`);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${path}: this site has no such file (${response.status}).`);
  return response.arrayBuffer();
}

element("file").addEventListener("change", ({ target }) => target.files[0] && take(target.files[0]));
element("again").addEventListener("click", verify);
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
progress("Loading …");
takeLink(new URLSearchParams(location.search));
