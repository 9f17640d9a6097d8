/** What the editor of the page Write completes. */

import { readFileSync } from 'node:fs';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import * as kernel from '../../../study/src/kernel/index.ts';
import { API_FILES, type KernelSources, kernelApi } from '../../src/page/write/code/kernel-api.ts';
import { completerOf } from '../../src/page/write/editor/completions.ts';
import { loadTypeErrors } from './load-type-errors.ts';

const KERNEL = new URL('../../../study/src/kernel/', import.meta.url);
const sources = Object.fromEntries(
  API_FILES.map((name) => [name, readFileSync(new URL(`${name}.ts`, KERNEL), 'utf8')]),
) as KernelSources;
const api = kernelApi(sources, Object.keys(kernel));
const complete = completerOf(api);

const TEXT = `import { defineAlgorithm, flag, id, integer, message } from '@hustings/study/kernel';
export const mine = defineAlgorithm({
  name: 'mine',
  assumes: { network: 'ring', knows: [], HERE_ASSUMES },
  params: { patience: integer('how long', 1, 1, 9) },
  state: { best: id(), isDone: HERE_FIELD },
  messages: { token: message(['id', id()]), crown: message() },
  timers: ['alarm', 'rest'],
  HERE_DEFINITION
  on: {
    token(state, port, message, ctx) {
      HERE_CODE
    },
    HERE_HANDLER
  },
});
`;

/** The labels at the end of `typed`, which stands at one of the places. */
function offered(place: string, typed: string): string[] {
  const parts = TEXT.split(/HERE_\w+/);
  const places = [...TEXT.matchAll(/HERE_(\w+)/g)].map(([, name]) => name);
  const at = places.indexOf(place);
  const before = parts.slice(0, at + 1).join('') + typed;
  const state = EditorState.create({ doc: before + parts.slice(at + 1).join('') });
  const found = complete(new CompletionContext(state, before.length, true));
  return (found?.options ?? []).map(({ label }) => label);
}

describe('completions', () => {
  it('name every member of the definition, of its assumptions and of the context, and no other', async () => {
    const errorsOf = await loadTypeErrors();
    const union = (names: readonly { readonly name: string }[]): string =>
      names.map(({ name }) => `'${name}'`).join(' | ');
    const texts = (path: string): string => api.values[path].map((each) => `'${each}'`).join(' | ');
    const claims = [
      ['keyof Algorithm', union(api.properties[''])],
      ['keyof Assumptions', union(api.properties.assumes)],
      ['keyof Invariants', union(api.properties.invariants)],
      ['keyof Context<All, Messages, Params, string>', union(api.context)],
      ["Assumptions['network']", texts('assumes.network')],
      ["Assumptions['timing']", texts('assumes.timing')],
      ["Assumptions['ids']", texts('assumes.ids')],
      ['Knowledge', texts('assumes.knows')],
      ['Fault', texts('assumes.faults')],
      ['Trigger', texts('trigger')],
      ['keyof typeof kernel', union(api.exports)],
    ];
    const head = `import * as kernel from '@hustings/study/kernel';
import type { Algorithm, Assumptions, Context, Fault, Invariants, Knowledge, Messages, Params, Trigger } from '@hustings/study/kernel';
type All = Assumptions & { readonly ids: 'unique'; readonly knows: readonly Knowledge[] };
type Difference<A, B> = Exclude<A, B> | Exclude<B, A>;
`;
    const lines = claims.map(
      ([one, other], k) =>
        `export const claim${k}: [Difference<${one}, ${other}>] extends [never] ? true : never = true;`,
    );
    expect(errorsOf(head + lines.join('\n'))).toEqual([]);
    // The comparison is able to fail.
    expect(errorsOf(head + lines.join('\n').replace("| 'onTimer'", ''))).toMatchObject([{ line: 5 }]);
    expect(api.exports.filter(({ name, text }) => text === '' && /^[a-z]+(Set)?$/.test(name))).toEqual([]);
  });

  it('stand where they can be used', () => {
    expect(offered('DEFINITION', 'on')).toEqual(
      expect.arrayContaining(['onStart', 'onTimer', 'onUndelivered', 'onRestart', 'laws', 'invariants']),
    );
    // What is there already is not offered again.
    expect(offered('DEFINITION', '')).not.toContain('timers');
    expect(offered('ASSUMES', '')).toEqual(['timing', 'ids', 'fifo', 'faults', 'mayErr']);
    expect(offered('ASSUMES', "timing: '")).toEqual(['asynchronous', 'bounded-delay', 'synchronous']);
    expect(offered('ASSUMES', "faults: ['crash', '")).toContain('partition');
    expect(offered('FIELD', 'f')).toEqual(
      expect.arrayContaining([
        'id',
        'counter',
        'flag',
        'choice',
        'port',
        'ids',
        'counters',
        'ports',
        'portSet',
        'idSet',
      ]),
    );
    expect(offered('HANDLER', '')).toEqual(['crown']);
    expect(offered('CODE', 'ctx.')).toEqual(
      expect.arrayContaining(['send', 'forward', 'decide', 'id', 'neighbour']),
    );
    expect(offered('CODE', 'ctx.params.')).toEqual(['patience']);
    expect(offered('CODE', 'state.')).toEqual(['best', 'isDone']);
    expect(offered('CODE', "ctx.send(0, '")).toEqual(['token', 'crown']);
    expect(offered('CODE', "ctx.setTimer('")).toEqual(['alarm', 'rest']);
    expect(offered('CODE', "ctx.decide('")).toEqual(['leader', 'follower']);
    expect(offered('CODE', 'NO')).toContain('NONE');
    expect(offered('CODE', "const text = '")).toEqual([]);
  });
});
