// The box above a list: shows the rows whose first cells contain what is typed.
"use strict";

for (const box of document.querySelectorAll(".filters[data-list]")) {
  const rows = [...document.getElementById(box.dataset.list).tBodies[0].rows];
  const names = rows.map((row) => row.cells[0].textContent.toLowerCase());
  const shown = box.querySelector("output");
  box.addEventListener("input", () => {
    const words = box.elements.words.value.trim().toLowerCase();
    rows.forEach((row, n) => { row.hidden = !names[n].includes(words); });
    const count = rows.filter((row) => !row.hidden).length;
    shown.textContent = words ? `${count} of ${rows.length}` : "";
  });
  box.addEventListener("submit", (event) => event.preventDefault());
  box.hidden = false;
}
