/**
 * Fills in the tables of docs/handlers.md: names and comments from the types of the kernel, and for each a line that uses it,
 * from the examples that the tests run, or from an algorithm of the package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf } from '../../test-kit/golden/regions.ts';
import { ROOT } from '../source/source-file.ts';

/** A member of an interface or an exported function, with its comment. */
interface Member {
  readonly name: string;
  /** The names of its parameters; null if it is not called. */
  readonly parameters: readonly string[] | null;
  readonly comment: string;
}

interface Table {
  /** Below packages/study/src/kernel. */
  readonly file: string;
  /** The interface or type whose members are listed; by default the functions with these names. */
  readonly of?: string;
  readonly names?: readonly string[];
  /** Written before each name. */
  readonly prefix?: string;
  /** Finds a line that uses the member; a table without it has no lines. */
  readonly use?: (name: string) => RegExp;
}

const call = (name: string): RegExp => new RegExp(`(^|[^\\w.])${name}\\(`);
const part = (name: string): RegExp => new RegExp(`^  ${name}[:(,]`);

const TABLES: Readonly<Record<string, Table>> = {
  parts: { file: 'algorithm.ts', of: 'interface Algorithm<', use: part },
  assumes: {
    file: 'assumptions.ts',
    of: 'interface Assumptions',
    use: (name) => new RegExp(`\\b${name}: (?!\\()`),
  },
  context: {
    file: 'context.ts',
    of: 'interface Verbs',
    prefix: 'ctx.',
    use: (name) => new RegExp(`ctx\\.${name}\\b`),
  },
  knowledge: {
    file: 'context.ts',
    of: 'type Context<',
    prefix: 'ctx.',
    use: (name) => new RegExp(`ctx\\.${name}\\b`),
  },
  fields: {
    file: 'field.ts',
    names: ['id', 'counter', 'flag', 'choice', 'port', 'ids', 'counters', 'ports', 'idSet', 'portSet'],
    use: call,
  },
  sets: { file: 'machine/state-list.ts', of: 'interface SmallSet', prefix: 'set.' },
  messages: { file: 'message.ts', names: ['message', 'announcement', 'upkeep'], use: call },
  params: { file: 'params.ts', names: ['integer', 'onOff', 'oneOf'], use: call },
  laws: { file: 'law.ts', names: ['exact', 'bound', 'mean'], use: call },
  facts: { file: 'law.ts', of: 'interface RunFacts' },
  measures: { file: 'measure.ts', names: ['total', 'largest'], use: call },
  change: { file: 'invariant.ts', of: 'interface NodeChange' },
  moment: { file: 'invariant.ts', of: 'interface NetworkMoment' },
  node: { file: 'invariant.ts', of: 'interface NetworkNode' },
  pictures: { file: 'appearance.ts', of: 'interface AppearanceDeclarations', use: part },
};

let uses: readonly string[] | undefined;

/** The table of this name. */
export function handlerTable(name: string): string[] {
  const { use, prefix = '', ...table } = TABLES[name];
  uses ??= usedLines();
  const rows = membersOf(table).map(({ name: member, parameters, comment }) => {
    const shown = `${prefix}${member}${parameters === null ? '' : `(${parameters.join(', ')})`}`;
    const cells = [`\`${shown}\``, comment];
    if (use !== undefined) cells.push(code(lineFor(member, use(member), uses ?? [])));
    return cells.map((cell) => cell.replaceAll('|', '\\|'));
  });
  return tableOf(use === undefined ? ['', ''] : ['', '', 'for example'], rows);
}

export const tableNames = (): string[] => Object.keys(TABLES);

/** A line with backticks of its own needs two around it. */
const code = (line: string): string => (line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``);

function lineFor(name: string, use: RegExp, lines: readonly string[]): string {
  const uses = lines.filter((line) => use.test(line));
  // A line that is whole says more than one that only begins.
  const found = uses.find((line) => !/[[{(]$|\{\},$|=>$|^ +\w+,$/.test(line)) ?? uses[0];
  if (found === undefined)
    throw new Error(`no example and no algorithm uses ${name}: add a line to examples/handlers`);
  return found.trim();
}

/** The lines of the examples, then those of the algorithms, without comments and imports. */
function usedLines(): string[] {
  const examples = join(ROOT, 'examples/handlers');
  const algorithms = join(ROOT, 'packages/study/src/algorithms');
  const files = [
    ...readdirSync(examples)
      .sort()
      .map((name) => join(examples, name)),
    ...readdirSync(algorithms, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('broken'))
      .sort()
      .map((name) => join(algorithms, name)),
  ];
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^(import|} from|export \{)|^\s*(\*|\/[*/])/.test(line) && line.length < 140),
  );
}

function membersOf({ file, of, names }: Table): Member[] {
  const text = readFileSync(join(ROOT, 'packages/study/src/kernel', file), 'utf8');
  if (names !== undefined) return names.map((name) => functionOf(text, name, file));
  const from = text.indexOf(`export ${of}`);
  if (from < 0) throw new Error(`packages/study/src/kernel/${file} has no ${of}`);
  const body = text.slice(
    from,
    text.indexOf('\n}', from) < 0 || of?.startsWith('type') ? undefined : text.indexOf('\n}', from),
  );
  return documented(body, of?.startsWith('type') ? 8 : 2);
}

/** The members with a comment, at this indentation. */
function documented(body: string, indent: number): Member[] {
  const blank = ' '.repeat(indent);
  const pattern = new RegExp(
    `\\n${blank}/\\*\\*([\\s\\S]*?)\\*/\\n${blank}(?:readonly )?(\\w+)\\??(<[^>]*>)?([(:])([^\\n]*(?:\\n${blank}  [^\\n]*)*)`,
    'g',
  );
  const all = body.match(new RegExp(`^${blank}(?:readonly )?\\w+\\??(?:<[^>]*>)?[(:]`, 'gm')) ?? [];
  const found = [...body.matchAll(pattern)];
  if (found.length !== all.length) throw new Error(`a member has no comment: ${all.join('')}`);
  return found.map(([, comment, name, , sign, rest]) => ({
    name,
    parameters: sign === '(' ? parametersIn(rest) : null,
    comment: plain(comment),
  }));
}

function functionOf(text: string, name: string, file: string): Member {
  const pattern = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:function|const) ${name}\\b(?:<[\\s\\S]*?>)?(?=[(:])`,
  );
  const found = pattern.exec(text);
  if (found === null) throw new Error(`packages/study/src/kernel/${file} has no documented ${name}`);
  const rest = text.slice(found.index + found[0].length + 1);
  const isFunction = text[found.index + found[0].length] === '(';
  return {
    name,
    parameters: isFunction ? parametersIn(rest) : ['measure', 'formula', 'when?', 'value'],
    comment: plain(found[1]),
  };
}

/** The names in a list of parameters, up to the parenthesis that ends it. */
function parametersIn(rest: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of rest) {
    if (char === ')' && depth === 0) break;
    if ('({[<'.includes(char)) depth++;
    if (')}]'.includes(char) || (char === '>' && !current.endsWith('='))) depth--;
    if (char === ',' && depth === 0) {
      names.push(current);
      current = '';
    } else current += char;
  }
  return [...names, current]
    .map((text) => /^\s*(?:\.\.\.)?(\w+)/.exec(text)?.[0].trim() ?? '')
    .filter((text) => text !== '');
}

function plain(comment: string): string {
  return comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
