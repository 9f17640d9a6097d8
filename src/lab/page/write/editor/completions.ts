/** Completions: what `ctx` has, what the kernel exports, and the names of the messages and fields of this file. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { CONTEXT_MEMBERS, KERNEL_NAMES } from '../code/library.ts';

const MEMBERS: readonly Completion[] = CONTEXT_MEMBERS.map(({ name, text }) => ({
  label: name,
  type: 'property',
  info: text,
}));
const NAMES: readonly Completion[] = KERNEL_NAMES.map((label) => ({
  label,
  type: 'function',
  detail: 'kernel',
}));

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

export function complete(context: CompletionContext): CompletionResult | null {
  const text = context.state.doc.toString();
  const options = (names: readonly string[], type: string): Completion[] =>
    names.map((label) => ({ label, type }));
  const member = context.matchBefore(/\b(ctx|state)\.\w*/);
  if (member !== null) {
    const from = member.from + member.text.indexOf('.') + 1;
    return member.text.startsWith('ctx.')
      ? { from, options: [...MEMBERS] }
      : { from, options: options(namesIn(text, 'state'), 'property') };
  }
  const message = context.matchBefore(/\.send\([^,()]*,\s*'\w*/);
  if (message !== null)
    return {
      from: message.from + message.text.lastIndexOf("'") + 1,
      options: options(namesIn(text, 'messages'), 'constant'),
    };
  const word = context.matchBefore(/\w+/);
  if (word === null && !context.explicit) return null;
  return { from: word?.from ?? context.pos, options: [...NAMES] };
}
