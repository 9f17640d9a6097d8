/** The command that repeats a run, with a button that copies it. Without the script the button is hidden and the text remains. */
import { escapeText } from '../../drawing/svg.ts';

/** Closed, if it stands in a table. */
export function foldedCommand(command: string): string {
  return `<details class="run"><summary>Run</summary>${commandBox(command)}</details>`;
}

export function commandBox(command: string): string {
  return `<div class="command"><pre><code>${commandText(command)}</code></pre><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** A browser would break a line between the two dashes of an option. */
export function commandText(command: string): string {
  return escapeText(command).replace(/(?<= )-\S{1,24}/g, '<span class="option">$&</span>');
}
