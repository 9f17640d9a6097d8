/**
 * Renders the part of Helm's templates that the chart of kits/ uses, and throws at any other. Helm itself is not in Debian:
 * this shows what the chart says, not that Helm accepts it.
 */

interface Release {
  readonly Name: string;
  readonly Namespace: string;
}

type Scope = { readonly [key: string]: unknown };

/** `if … else … end` and `range … end` stand on lines of their own, with `{{-`. */
export function renderTemplate(text: string, release: Release, values: object): string {
  const lines = text.split('\n');
  const scope = { Release: release, Values: values };
  return block(lines, scope, scope).join('\n');
}

/** Takes lines up to the `end` or `else` of this block. */
function block(lines: string[], scope: Scope, dot: unknown): string[] {
  const out: string[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, action, argument] = /^\s*\{\{- (if|range|else|end)(?: (.*?))? \}\}$/.exec(line) ?? [];
    if (action === 'end' || action === 'else') {
      lines.unshift(line);
      return out;
    }
    if (action === undefined) {
      out.push(line.replace(/\{\{ (.*?) \}\}/g, (_, expression) => String(evaluate(expression, scope, dot))));
      if (/\{\{(?! )|\{\{-/.test(line)) throw new Error(`the chart uses more than this renders: ${line}`);
      continue;
    }
    out.push(...(action === 'if' ? choice(lines, argument, scope, dot) : loop(lines, argument, scope)));
  }
  return out;
}

function choice(lines: string[], condition: string, scope: Scope, dot: unknown): string[] {
  const isTrue = Boolean(evaluate(condition, scope, dot));
  const first = block(lines, scope, dot);
  const second = lines.shift()?.includes('- else') ? block(lines, scope, dot) : null;
  if (second !== null) lines.shift();
  return isTrue ? first : (second ?? []);
}

function loop(lines: string[], list: string, scope: Scope): string[] {
  const items = evaluate(list, scope, scope) as readonly unknown[];
  const body = lines.slice();
  block(body, scope, '');
  const length = lines.length - body.length;
  const inside = lines.splice(0, length);
  lines.shift();
  return items.flatMap((item) => block(inside.slice(), scope, item));
}

const FUNCTIONS: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  toJson: (value) => JSON.stringify(value),
  add: (a, b) => Number(a) + Number(b),
};

function evaluate(expression: string, scope: Scope, dot: unknown): unknown {
  const [first, ...pipes] = expression.split(' | ');
  const words = first.split(' ').map((word) => {
    if (word === '.') return dot;
    if (/^\d+$/.test(word)) return Number(word);
    if (!word.startsWith('.')) return word;
    const found = word
      .slice(1)
      .split('.')
      .reduce<unknown>((value, key) => (value as Scope)[key], scope);
    if (found === undefined) throw new Error(`the chart has no ${word}`);
    return found;
  });
  const value = words.length === 1 ? words[0] : FUNCTIONS[String(words[0])](...words.slice(1));
  return pipes.reduce((piped, name) => FUNCTIONS[name](piped), value);
}
