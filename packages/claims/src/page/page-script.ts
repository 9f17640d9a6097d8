/** The script of the page: sorts the table of claims by any column, filters it by text, kind and verdict, and copies commands. */
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
    const keyOf = (row) => row.cells[column].textContent;
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
// A page that was opened as a file may have no clipboard: then the selected text is copied, or stays selected.
const copySelected = (code) => {
  const range = document.createRange();
  range.selectNodeContents(code);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  return document.execCommand('copy');
};
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    let copied = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      copied = true;
    } catch {
      copied = copySelected(code);
    }
    button.textContent = copied ? 'Copied' : 'Selected';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((each) => { each.open = true; }));
`;
