/**
 * The rules that a step runs, as the source of the algorithm tags them. The bundler of the page inserts the calls at the tagged
 * lines (scripts/rule-probes.mjs). An algorithm without them, such as a reader's own, runs no rule.
 */

/** A line of an algorithm with its rules. */
export interface RanRule {
  /** 'R2, R3'. */
  readonly tag: string;
  readonly line: number;
  /** The name of the file without its ending: that of the algorithm, or of a part that several algorithms share. */
  readonly file: string;
}

let log: Map<string, RanRule> | null = null;
const known = new Map<string, RanRule>();

/** A tagged line has been run. */
export function ranRule(tag: string, line: number, file: string): void {
  if (log === null) return;
  const key = `${file}:${line}`;
  const rule = known.get(key) ?? { tag, line, file };
  known.set(key, rule);
  log.set(key, rule);
}

type Handler = (state: unknown, port: unknown, fields: unknown, context: unknown) => void;

/** A handler that is written elsewhere, with the rule at the line that names it. */
export function withRule(handler: Handler, tag: string, line: number, file: string): Handler {
  return (state, port, fields, context) => {
    ranRule(tag, line, file);
    handler(state, port, fields, context);
  };
}

/** What an action returns, and the rules that it ran, in the order of their first lines. */
export function watchRules<Result>(act: () => Result): {
  readonly result: Result;
  readonly rules: readonly RanRule[];
} {
  const own = new Map<string, RanRule>();
  log = own;
  try {
    return { result: act(), rules: own.size === 0 ? NO_RULES : [...own.values()] };
  } finally {
    log = null;
  }
}

const NO_RULES: readonly RanRule[] = [];
