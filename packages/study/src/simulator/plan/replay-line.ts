/** The command that repeats a run, with the same trace. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { optionTexts } from './option-text.ts';
import type { SimulateOptions } from './options.ts';

export function replayLine(algorithm: AnyAlgorithm, options: SimulateOptions, seed: number): string {
  return `${simulateLine(options.calledAs ?? algorithm.name, { ...options, seed })} --trace`;
}

/** The command that simulates an algorithm with these options. */
export function simulateLine(name: string, options: SimulateOptions): string {
  const flags = optionTexts(options).flatMap(([option, text]) => [`--${option}`, quoted(text)]);
  return ['hustings', 'simulate', quoted(name), ...flags].join(' ');
}

/** The command that shows the symmetric run of an algorithm. */
export function replayCommand(name: string, nodes: number): string {
  return `hustings simulate ${quoted(name)} --nodes ${nodes}`;
}

/** Quoted for a shell if necessary. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
