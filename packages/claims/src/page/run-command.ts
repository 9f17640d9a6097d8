/** The command that repeats a run, with a button that copies it. Without the script the button is hidden and the text remains. */
import { escapeText } from '@hustings/study/internal/drawing/svg';
import type { Reproduction, Result } from '../reproduction.ts';

/** The command of a claim; null if running elections cannot decide it. */
export type CommandOf = (result: Result) => string | null;

/** A claim about many elections has no single run: its command measures it again. */
export function commandsOf({ quick, seed }: Pick<Reproduction, 'quick' | 'seed'>): CommandOf {
  const options = `${quick ? ' --quick' : ''} --seed ${seed}`;
  return ({ id, method, replay }) =>
    replay ?? (method === 'out of scope' ? null : `hustings reproduce --claim ${id}${options}`);
}

/** Closed, for a line of a table. */
export function foldedCommand(command: string | null): string {
  if (command === null) return '';
  return `<details class="run"><summary>Run</summary>${commandBox(command)}</details>`;
}

export function commandBox(command: string | null): string {
  if (command === null) return '';
  return `<div class="command"><pre><code>${commandText(command)}</code></pre><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** A browser would break a line between the two dashes of an option. */
export function commandText(command: string): string {
  return escapeText(command).replace(/(?<= )-\S{1,24}/g, '<span class="option">$&</span>');
}
