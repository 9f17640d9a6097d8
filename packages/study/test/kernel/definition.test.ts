import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import {
  type AnyAlgorithm,
  bound,
  counter,
  defineAlgorithm,
  exact,
  id,
  type Law,
  message,
} from '../../src/kernel/index.ts';
import { Run, simulate } from '../../src/simulator/index.ts';

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
    [
      'knowledge that does not exist',
      { assumes: { ...changRoberts.assumes, knows: ['size'] } },
      /assumes\.knows must be a list of n, diameter, neighbours, time, not size$/,
    ],
    [
      'a fault that does not exist',
      { assumes: { ...changRoberts.assumes, faults: 'crash' } },
      /assumes\.faults must be a list of crash, .*, not crash$/,
    ],
    [
      'an unknown assumption',
      { assumes: { ...changRoberts.assumes, know: ['n'] } },
      /assumes\.know is unknown/,
    ],
    ['an unknown part', { onTimeout: () => undefined }, /'onTimeout' is not a part of a definition/],
    [
      'a state field without a type',
      { state: { best: 0 } },
      /state\.best must be a field, as in counter\(10\)/,
    ],
    [
      'a message that is no message',
      { messages: { ...changRoberts.messages, token: ['id'] } },
      /messages\.token must be a message/,
    ],
    ['a misspelt part', { measure: {} }, /'measure' is not a part .*; did you mean measures\?/],
    ['timers that are no list', { timers: 'patience' }, /timers must be a list of names/],
    ['a parameter that is none', { params: { c: 3 } }, /params\.c must be a parameter, as in onOff/],
    [
      'a measure without a text',
      { measures: { phases: { type: 'total' } } },
      /measures\.phases must say what it measures/,
    ],
    [
      'a law about a measure that does not exist',
      { laws: [bound('elections' as never, '2n', ({ n }) => n)] },
      /law 2n is about 'elections': the measures are election, .*; did you mean election\?/,
    ],
    [
      'a law about a message that does not exist',
      { laws: [bound({ messages: 'tokn' }, '2n', ({ n }) => n)] },
      /law 2n is about 'tokn': the messages are token, elected; did you mean token\?/,
    ],
    [
      'a law about an own measure that does not exist',
      { laws: [bound({ own: 'phases' }, '2n', ({ n }) => n)] },
      /law 2n is about 'phases': it has no own measures/,
    ],
    [
      'a law without a value',
      { laws: [(bound as unknown as (...given: string[]) => Law)('election', '2n')] },
      /law 2n must end with a function/,
    ],
    [
      'a law whose value is a text',
      { laws: [(exact as unknown as (...given: string[]) => Law)('election', 'n', 'n')] },
      /law n must end with a function/,
    ],
    ['a timer that nobody hears', { timers: ['patience'] }, /timer 'patience' must have a handler/],
  ];
  it.each(cases)('%s', (_what, changes, message) => {
    expect(spoilt(changes)).toThrow(message);
  });

  it('a complete one is accepted', () => {
    expect(spoilt({ name: 'my-election' })).not.toThrow();
  });
});

describe('a misspelt field of a state or a message is refused by name', () => {
  const misspelling = (onStart: (state: never, ctx: never) => void) => () =>
    simulate({ ...(counting as AnyAlgorithm), onStart } as never, { nodes: 2 });
  const counting = defineAlgorithm({
    ...(changRoberts as AnyAlgorithm),
    name: 'counting',
    state: { hops: counter(5), best: id() },
    laws: [],
  } as never) as AnyAlgorithm;

  it('when it is read', () => {
    const read = misspelling((state: { hop: number }, ctx: { decide(role: string): void }) => {
      if (state.hop > 3) ctx.decide('leader');
    });
    expect(read).toThrow(/the state has no field 'hop': it has hops, best; did you mean hops\?/);
  });

  it('when it is written', () => {
    const write = misspelling((state: { hop: number }) => {
      state.hop = 1;
    });
    expect(write).toThrow(/the state has no field 'hop': it has hops, best/);
  });

  it('in a message', () => {
    const reading = {
      ...(changRoberts as AnyAlgorithm),
      on: {
        ...changRoberts.on,
        token(_: unknown, __: number, message: { di: number }, ctx: { id: number }) {
          if (message.di > ctx.id) throw new Error('not reached');
        },
      },
    };
    expect(() => simulate(reading as never, { nodes: 2 })).toThrow(
      /message token has no field 'di': it has id; did you mean id\?/,
    );
  });

  it.each(['lockstep', 'random'] as const)('in a message, if only another type has it: %s', (schedule) => {
    const mixed = {
      ...(changRoberts as AnyAlgorithm),
      messages: { ...changRoberts.messages, other: message(['hops', counter(5)]) },
      on: {
        ...changRoberts.on,
        other() {},
        token(_: unknown, __: number, { hops }: { hops: number }, ctx: { id: number }) {
          if (hops > ctx.id) throw new Error('not reached');
        },
      },
    };
    // Without an observer a run in lockstep takes the fast loop.
    for (const observe of [undefined, () => {}]) {
      const run = () => simulate(mixed as never, { nodes: 2, schedule, observe, invariants: 'none' });
      expect(run).toThrow(/message token has no field 'hops': it has id(?!,)/);
    }
  });

  it('in the context', () => {
    const read = misspelling((_, ctx: { size: number }) => {
      if (ctx.size > 3) throw new Error('not reached');
    });
    expect(read).toThrow(/ctx has no 'size': it has id, n, .*, decide(?!;)/);
  });

  it('in the context, with the name that was meant', () => {
    const read = misspelling((_, ctx: { neighbor(port: number): number }) => void ctx.neighbor(0));
    expect(read).toThrow(/ctx has no 'neighbor': .*; did you mean neighbour\?/);
  });

  it('but a state can be printed', () => {
    const printing = misspelling((state) => {
      throw new Error(JSON.stringify(state) + inspect(state).length);
    });
    expect(printing).toThrow(/\{"hops":0,"best":-1\}\d+/);
  });
});
