/** The script of the page: sorts the table of claims by any column and filters it by text, kind and verdict. */
export const PAGE_SCRIPT = `
'use strict';
const table = document.getElementById('claims');
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const head = Array.from(table.tHead.rows[0].cells);
head.forEach((cell, column) => {
  cell.querySelector('button').addEventListener('click', () => {
    const down = cell.getAttribute('aria-sort') === 'ascending';
    head.forEach((each) => each.removeAttribute('aria-sort'));
    cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const keyOf = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
    const order = new Intl.Collator('en', { numeric: true });
    rows.sort((one, other) => order.compare(keyOf(one), keyOf(other)) * (down ? -1 : 1));
    body.append(...rows);
  });
});
const words = document.getElementById('words');
const boxes = Array.from(document.querySelectorAll('input[type=checkbox]'));
const shown = document.getElementById('shown');
const choose = () => {
  const wanted = words.value.toLowerCase();
  const wants = (name, value) => boxes.some((box) => box.name === name && box.value === value && box.checked);
  let count = 0;
  for (const row of rows) {
    row.hidden = !wants('kind', row.dataset.kind) || !wants('verdict', row.dataset.verdict) || !row.textContent.toLowerCase().includes(wanted);
    if (!row.hidden) count++;
  }
  shown.textContent = count + ' of ' + rows.length;
};
words.addEventListener('input', choose);
boxes.forEach((box) => box.addEventListener('change', choose));
choose();
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((each) => { each.open = true; }));
`;
