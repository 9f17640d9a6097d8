/** A step as it is written in a counterexample, taken apart again. */
import { InputError } from '../../kernel/errors.ts';

export type Step =
  | { readonly type: 'start' | 'crash' | 'recover'; readonly at: number }
  /** A unit of time goes by; a whole round does. */
  | { readonly type: 'tick' | 'round' }
  | { readonly type: 'timer'; readonly at: number; readonly timer: string }
  | {
      readonly type: 'deliver' | 'lose' | 'notice';
      readonly from: number;
      readonly to: number;
      /** Type and fields. */
      readonly message: string;
    };

export function parseStep(text: string): Step {
  const [, type, at] = /^(start|crash|recover) (\d+)$/.exec(text) ?? [];
  if (type !== undefined) return { type: type as 'start', at: Number(at) };
  if (text === 'tick' || text === 'round') return { type: text };
  const [, node, timer] = /^timer (\d+) (\S+)$/.exec(text) ?? [];
  if (timer !== undefined) return { type: 'timer', at: Number(node), timer };
  const [, moves, from, to, message] = /^(deliver|lose|notice) (\d+) > (\d+) (\S.*)$/.exec(text) ?? [];
  if (moves !== undefined) return { type: moves as 'deliver', from: Number(from), to: Number(to), message };
  throw new InputError(`expected a step such as 'start 0' or 'deliver 0 > 1 token id=4', got '${text}'`);
}
