import { describe, expect, it } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { Run } from '../../src/simulator/index.ts';

/** Chang–Roberts with one part made invalid. */
function spoilt(changes: object): () => Run {
  return () => new Run({ ...(changRoberts as AnyAlgorithm), ...changes }, { nodes: 3 });
}

describe('an incomplete algorithm is refused before a run', () => {
  const cases: [string, object, RegExp][] = [
    ['a name that is no command-line word', { name: 'My Election' }, /name must be lower-case words/],
    ['no assumptions', { assumes: undefined }, /assumes\.network must be one of .*, not undefined/],
    [
      'an unknown network',
      { assumes: { ...changRoberts.assumes, network: 'net' } },
      /assumes\.network .* net$/,
    ],
    [
      'an unknown timing',
      { assumes: { ...changRoberts.assumes, timing: 'soon' } },
      /assumes\.timing .* soon$/,
    ],
    ['no onStart', { onStart: undefined }, /onStart must be/],
    [
      'a message without a handler',
      { on: { token: changRoberts.on.token } },
      /message 'elected' must have a handler/,
    ],
    ['no handlers at all', { on: undefined }, /message 'token' must have a handler/],
    ['a handler for no message', { on: { ...changRoberts.on, tokens: () => undefined } }, /on\.tokens must/],
    ['a timer that nobody hears', { timers: ['patience'] }, /timer 'patience' must have a handler/],
  ];
  it.each(cases)('%s', (_what, changes, message) => {
    expect(spoilt(changes)).toThrow(message);
  });

  it('a complete one is accepted', () => {
    expect(spoilt({ name: 'my-election' })).not.toThrow();
  });
});
