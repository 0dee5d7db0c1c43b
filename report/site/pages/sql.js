// The page for questions in SQL: a query in, the worker's rows out.

const SHOWN = 1000; // rows on the page; the CSV file has all of them
const SHORT = 40; // maximum characters of a cell in one line
const NUMBER = /^(-?\d+(\.\d+)?(e[+-]\d+)?)?$/; // a number as DuckDB writes it, or NULL

const element = (name) => document.getElementById(`koth-${name}`);
const worker = new Worker(new URL("sql_worker.js", import.meta.url), { type: "module" });

function made(tag, text, ...children) {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
}

const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

function progress(text, isError = false) {
  element("progress").textContent = text;
  element("progress").classList.toggle("alarm", isError);
}

function run() {
  if (element("run").disabled) return;
  element("run").disabled = true;
  element("csv").hidden = true;
  element("rows").replaceChildren();
  progress("Running …");
  worker.postMessage(element("query").value);
}

function ask(query) {
  element("query").value = query;
  element("query").scrollIntoView({ block: "nearest" });
  run();
}

worker.onmessage = ({ data }) => {
  if (data.loading) {
    progress(data.loading);
    return;
  }
  element("run").disabled = false;
  if (data.catalog) show(data.catalog);
  else if (data.error) progress(data.error, true);
  else showRows(data);
};
worker.onerror = ({ message }) =>
  progress(`DuckDB cannot be loaded: ${message ?? "this site lacks a file in tools/."}`, true);

function show({ logs, tables, questions }) {
  progress(`Ready: ${counted(logs, "log")}.`);
  let section = null;
  for (const { section: name, question, query } of questions) {
    if (name !== section) element("questions").append(made("h3", name));
    section = name;
    const button = made("button", question);
    button.type = "button";
    button.addEventListener("click", () => ask(query));
    element("questions").append(made("p", "", button));
  }
  for (const { name, description, columns } of tables) {
    const rows = columns.map(({ name: column, type, description: about }) =>
      made("tr", "", made("td", column), made("td", type), made("td", about)),
    );
    const button = made("button", "First rows");
    button.type = "button";
    button.addEventListener("click", () => ask(`FROM ${name} LIMIT 10`));
    const head = made("summary", "", made("code", name));
    element("tables").append(
      made("details", "", head, made("p", description), made("p", "", button), made("table", "", ...rows)),
    );
  }
}

function showRows({ csv, seconds }) {
  const [columns, ...rows] = parsed(new TextDecoder().decode(csv));
  const first = rows.slice(0, SHOWN);
  const isNumber = columns.map((_, column) => first.every((row) => NUMBER.test(row[column])));
  const cells = (tag) => (row) => made("tr", "", ...row.map((text, column) => {
    const cell = made(tag, text);
    cell.classList.toggle("number", isNumber[column]);
    cell.classList.toggle("short", text.length <= SHORT);
    return cell;
  }));
  element("rows").replaceChildren(
    made("thead", "", cells("th")(columns)),
    made("tbody", "", ...first.map(cells("td"))),
  );
  URL.revokeObjectURL(element("csv").href);
  element("csv").href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  element("csv").download = "rows.csv";
  element("csv").hidden = false;
  const shown = rows.length > SHOWN ? `; the first ${SHOWN.toLocaleString("en")} are shown` : "";
  progress(`${counted(rows.length, "row")} in ${seconds.toFixed(2)} s${shown}.`);
}

// Rows of CSV (RFC 4180) with LF, as DuckDB writes it. A regular expression for a quoted cell would
// overflow the stack if the cell has many quotes.
function parsed(text) {
  const rows = [[]];
  const plain = /[^,\n]*/gy;
  for (let at = 0; at < text.length; at += 1) {
    const isQuoted = text[at] === '"';
    let end = at;
    if (isQuoted) {
      do end = text.indexOf('"', end + 1) + 1;
      while (text[end] === '"');
    } else {
      plain.lastIndex = at;
      end += plain.exec(text)[0].length;
    }
    const cell = isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end);
    rows.at(-1).push(cell);
    if (text[end] === "\n" && end + 1 < text.length) rows.push([]);
    at = end;
  }
  return rows;
}

element("run").addEventListener("click", run);
element("query").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) run();
});
progress("Loading …");
