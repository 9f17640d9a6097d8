/**
 * Completions: what `ctx` has, what the definition can have, what the kernel exports, and the names that this file declares.
 */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  snippetCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { type DefinitionPlace, definitionPlace } from '../code/definition-place.ts';
import type { KernelApi, Offered } from '../code/kernel-api.ts';

/** The parameters of a handler of a message. */
const HANDLER = ['state', 'port', 'message', 'ctx'];

/** The names of the object that a property of the definition holds, such as `messages: { … }`. */
export function namesIn(text: string, property: string): string[] {
  const start = new RegExp(`\\b${property}(?::|\\s*=)\\s*\\{`).exec(text);
  if (start === null) return [];
  const names: string[] = [];
  let depth = 0;
  let word = '';
  for (const char of text.slice(start.index + start[0].length)) {
    if (depth === 0 && char === '}') break;
    if ('{[('.includes(char)) depth++;
    else if ('}])'.includes(char)) depth--;
    if (depth === 0 && /\w/.test(char)) word += char;
    else {
      if (depth === 0 && (char === ':' || char === ',') && /^[a-z]\w*$/.test(word)) names.push(word);
      if (char !== ' ' && char !== '\n') word = '';
    }
  }
  if (/^[a-z]\w*$/.test(word)) names.push(word);
  return [...new Set(names)];
}

/** The texts in the list that a property holds, such as `timers: ['patience']`. */
function textsIn(text: string, property: string): string[] {
  const [, list = ''] = new RegExp(`\\b${property}:\\s*\\[([^\\]]*)\\]`).exec(text) ?? [];
  return [...list.matchAll(/'([^']*)'/g)].map(([, each]) => each);
}

const plain = (names: readonly string[], type: string): Completion[] =>
  names.map((label) => ({ label, type }));

/** Members of `ctx`, of a state, and of the parameters. */
function membersAt(context: CompletionContext, text: string, api: KernelApi): CompletionResult | null {
  const found = context.matchBefore(/\b(ctx|state|ctx\.params)\.\w*/);
  if (found === null) return null;
  const from = found.from + found.text.lastIndexOf('.') + 1;
  if (found.text.startsWith('ctx.params.'))
    return { from, options: plain(namesIn(text, 'params'), 'property') };
  if (found.text.startsWith('state.')) return { from, options: plain(namesIn(text, 'state'), 'property') };
  const options = api.context.map(({ name, parameters, text: info }) => ({
    ...{ label: name, type: parameters === null ? 'property' : 'method', info },
    ...(parameters !== null && { detail: `(${parameters.join(', ')})` }),
  }));
  return { from, options };
}

/** Texts that a verb of the context takes. */
function argumentsAt(context: CompletionContext, text: string): CompletionResult | null {
  const found = context.matchBefore(/\.(send\([^,()]*,\s*|(setTimer|clearTimer|measure|decide)\()'[\w-]*/);
  if (found === null) return null;
  const [, verb = ''] = /^\.(\w+)/.exec(found.text) ?? [];
  const names: Readonly<Record<string, () => string[]>> = {
    send: () => namesIn(text, 'messages'),
    setTimer: () => textsIn(text, 'timers'),
    clearTimer: () => textsIn(text, 'timers'),
    measure: () => namesIn(text, 'measures'),
    decide: () => ['leader', 'follower'],
  };
  return { from: found.from + found.text.lastIndexOf("'") + 1, options: plain(names[verb](), 'constant') };
}

/** A property of the definition. A method gets its parameters and its braces. */
function propertyOf({ name, parameters, text: info }: Offered): Completion {
  const about = { label: name, info, type: parameters === null ? 'property' : 'method' };
  if (parameters === null) return snippetCompletion(`${name}: \${}`, about);
  return snippetCompletion(`${name}(${parameters.join(', ')}) {\n\t\${}\n},`, about);
}

/** What can stand at a place of the definition; null if anything can. */
function definitionAt(
  context: CompletionContext,
  text: string,
  { isName, path, present }: DefinitionPlace,
  api: KernelApi,
): CompletionResult | null {
  const string = context.matchBefore(/'[\w -]*/);
  const values = api.values[path.join('.')];
  if (string !== null)
    return values === undefined ? null : { from: string.from + 1, options: plain(values, 'constant') };
  if (!isName) return null;
  const word = context.matchBefore(/\w*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const place = path.join('.');
  const offered =
    place === 'on'
      ? namesIn(text, 'messages').map((name) => ({ name, text: '', parameters: HANDLER }))
      : Object.hasOwn(api.properties, place)
        ? api.properties[place]
        : [];
  const options = offered.filter(({ name }) => !present.includes(name)).map(propertyOf);
  return options.length === 0 ? null : { from: word.from, options };
}

/** The exports of the kernel. One that the file does not import is imported. */
function exportsAt(context: CompletionContext, api: KernelApi): CompletionResult | null {
  const word = context.matchBefore(/\w+/);
  if (word === null && !context.explicit) return null;
  const options = api.exports.map(({ name, text }) => ({
    ...{ label: name, detail: 'kernel', apply: applyExport },
    type: /^[A-Z_]+$/.test(name) ? 'constant' : /^[A-Z]/.test(name) ? 'class' : 'function',
    ...(text !== '' && { info: text }),
  }));
  return { from: word?.from ?? context.pos, options };
}

function applyExport(view: EditorView, completion: Completion, from: number, to: number): void {
  const { label } = completion;
  const imported = importOf(view.state.doc.toString(), label, from);
  view.dispatch({
    changes: [{ from, to, insert: label }, ...imported],
    // An import is above the cursor.
    selection: { anchor: from + label.length + (imported[0]?.insert.length ?? 0) },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  });
}

/** The change that imports a name of the kernel; none if it is imported already, or is being written into the import itself. */
function importOf(text: string, name: string, at: number): { from: number; insert: string }[] {
  const found = /^import\s*\{([^}]*?),?\s*\}\s*from\s*'@hustings\/study\/kernel'/m.exec(text);
  if (found === null) return [{ from: 0, insert: `import { ${name} } from '@hustings/study/kernel';\n` }];
  const [whole, names] = found;
  const isInside = at >= found.index && at <= found.index + whole.length;
  if (isInside || names.split(',').some((each) => each.trim() === name)) return [];
  return [{ from: found.index + whole.indexOf('{') + 1 + names.length, insert: `, ${name}` }];
}

/** Completes the text at the cursor. */
export function completerOf(api: KernelApi): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const text = context.state.doc.toString();
    const found = membersAt(context, text, api) ?? argumentsAt(context, text);
    if (found !== null) return found;
    const place = definitionPlace(text, context.pos);
    const inDefinition = place === null ? null : definitionAt(context, text, place, api);
    if (inDefinition !== null) return inDefinition;
    // A name of the author's own, or a text.
    if (place?.isName || context.matchBefore(/'[^'\n]*/) !== null) return null;
    return exportsAt(context, api);
  };
}
