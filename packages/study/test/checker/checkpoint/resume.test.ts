import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { type Checkpoint, check } from '../../../dist/checker/index.js';
import { announcement, defineAlgorithm, flag, id, message } from '../../../dist/kernel/index.js';
import { cases } from '../parallel/cases.ts';
import { algorithmOf, bytesOf, type Case, checkInParts, checkpointIn, type Part } from './stops.ts';

const CASES = effort({ quick: 60, full: 600 });

/** Chang–Roberts with a message that is passed on with probability 1/2: it ends with probability 1, and its graph has cycles. */
const fading = defineAlgorithm({
  name: 'fading',
  title: 'Fading',
  source: 'none',
  cost: 'none',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  laws: [],
  state: { done: flag() },
  messages: { token: message(['id', id()]), beat: message(), elected: announcement(['id', id()]) },
  onStart(_state, ctx) {
    ctx.send(1, 'token', ctx.id);
    ctx.send(1, 'beat');
  },
  on: {
    beat(_state, _port, _message, ctx) {
      if (ctx.random(2) === 1) ctx.forward(1);
    },
    token(state, _port, token, ctx) {
      if (token.id > ctx.id) ctx.forward(1);
      if (token.id !== ctx.id) return;
      state.done = true;
      ctx.decide('leader');
      ctx.send(1, 'elected', ctx.id);
    },
    elected(state, _port, elected, ctx) {
      if (state.done) return;
      state.done = true;
      ctx.decide('follower', elected.id);
      ctx.forward(1);
    },
  },
});

/** The result of a check that is not stopped, or null if its options are refused. */
function uninterrupted(one: Case) {
  try {
    return check(algorithmOf(one), one.options);
  } catch {
    return null;
  }
}

interface StopCase {
  readonly one: Case;
  readonly fingerprints: boolean;
  readonly orders: 'one' | 'all';
  readonly parts: readonly Part[];
}

const turns = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1000 }));
const stopCases: fc.Arbitrary<StopCase> = fc.record({
  one: cases,
  fingerprints: fc.boolean(),
  orders: fc.constantFrom('one', 'all'),
  parts: fc.array(fc.record({ cores: fc.constant(1), turns }), { minLength: 1, maxLength: 4 }),
});

describe('a check that is stopped, saved and resumed', () => {
  it('has the result of one that was not stopped, at random points of random checks', () => {
    const seen = { early: 0, stops: 0, violated: 0, complete: 0, limited: 0 };
    for (const { fingerprints, one, orders, parts } of fc.sample(stopCases, { seed: 5, numRuns: CASES })) {
      const stopped = { ...one, options: { ...one.options, fingerprints, orders, stateLimit: 3000 } };
      const expected = uninterrupted(stopped);
      if (expected === null) continue;
      const [result, checkpoints, isInterrupted] = checkInParts(stopped, parts);
      if (isInterrupted) {
        // The search had found a violation, perhaps not with a shortest run.
        expect(result.violations).toHaveLength(1);
        expect(expected.violations).toHaveLength(1);
        if (result.stopped === null)
          expect(result.violations[0].steps).toHaveLength(expected.violations[0].steps.length);
        seen.early++;
        continue;
      }
      expect(result, JSON.stringify([stopped, parts])).toEqual(expected);
      seen.stops += checkpoints.length;
      if (expected.violations.length > 0) seen.violated++;
      if (expected.complete) seen.complete++;
      if (expected.stopped === 'states') seen.limited++;
    }
    expect(seen.early).toBeLessThan(CASES / 10);
    expect(seen.stops).toBeGreaterThan(60);
    expect(seen.violated).toBeGreaterThan(5);
    expect(seen.complete).toBeGreaterThan(5);
    expect(seen.limited).toBeGreaterThan(1);
  });

  it('has the same result if it was stopped with two threads and resumed with one, and the other way round', () => {
    const one: Case = {
      name: 'dolev-klawe-rodeh',
      options: { nodes: 8, starts: 'first', reduce: 'none', order: 'descending' },
    };
    const wrong: Case = {
      name: 'peterson',
      options: { nodes: 4, fifo: false, orders: 'all', reduce: 'none' },
    };
    const parts: readonly (readonly Part[])[] = [
      [
        { cores: 2, turns: 35 },
        { cores: 1, turns: 500 },
      ],
      [
        { cores: 1, turns: 100 },
        { cores: 2, turns: 8 },
      ],
    ];
    for (const each of [one, wrong]) {
      for (const some of parts) {
        const [result, checkpoints] = checkInParts(each, some);
        expect(result).toEqual(uninterrupted(each));
        expect(checkpoints.length, JSON.stringify([each.name, some])).toBeGreaterThan(0);
      }
    }
  });

  it('has the same result if it was stopped while termination was judged', () => {
    const one: Case = {
      name: 'fading',
      algorithm: fading,
      options: { nodes: 3, starts: 'first', reduce: 'none' },
    };
    const expected = uninterrupted(one);
    expect(expected?.termination).toBe('almost-sure');
    const states = expected?.states ?? 0;
    let judged = 0;
    for (let polls = states - 20; polls < states + 20; polls += 4) {
      const [result, [checkpoint]] = checkInParts(one, [{ cores: 1, turns: polls }]);
      expect(result).toEqual(expected);
      if (checkpoint === undefined) continue;
      const { position, states: saved } = checkpoint.search;
      if (position.searched === saved.counts[0]) judged++;
    }
    expect(judged).toBeGreaterThan(0);
  });

  it('stops at a limit and continues with a larger one', () => {
    const one: Case = { name: 'peterson', options: { nodes: 4, orders: 'all', reduce: 'none' } };
    for (const limit of [{ stateLimit: 3000 }, { memoryLimit: 20_000 }]) {
      let stopped: Checkpoint | undefined;
      const { stopped: why } = check(algorithmOf(one), {
        ...one.options,
        ...limit,
        onStopped: (checkpoint) => {
          stopped = checkpoint;
        },
      });
      expect(why).toBe('stateLimit' in limit ? 'states' : 'memory');
      expect(check(algorithmOf(one), { ...one.options, resume: stopped })).toEqual(uninterrupted(one));
    }
  });

  it('leaves the checkpoint as it was', () => {
    const one: Case = { name: 'dolev-klawe-rodeh', options: { nodes: 7, starts: 'first', reduce: 'none' } };
    for (const fingerprints of [false, true]) {
      const each = { ...one, options: { ...one.options, fingerprints } };
      const [, [checkpoint]] = checkInParts(each, [{ cores: 1, turns: 700 }]);
      const before = bytesOf(checkpoint);
      for (let again = 0; again < 2; again++) {
        const result = check(algorithmOf(one), { ...each.options, resume: checkpoint });
        expect(result).toEqual(uninterrupted(each));
      }
      expect(bytesOf(checkpoint).equals(before)).toBe(true);
    }
  });

  it('is found wrong by these comparisons if one part of the checkpoint is wrong', () => {
    const one: Case = { name: 'peterson', options: { nodes: 4, reduce: 'none', orders: 'all', fifo: false } };
    const expected = uninterrupted(one);
    const [, [right]] = checkInParts(one, [{ cores: 1, turns: 2000 }]);
    const { search, tally } = right;
    const { position, states } = search;
    const wrong: Readonly<Record<string, Checkpoint>> = {
      'an instance left out': { ...right, tally: { ...tally, searched: tally.searched + 1 } },
      'states of earlier instances': { ...right, tally: { ...tally, states: tally.states + 1 } },
      'a state twice': withPosition({ searched: position.searched - 1 }),
      'a state left out': withPosition({ searched: position.searched + 1 }),
      counts: withPosition({ counts: { ...position.counts, transitions: 0 } }),
      levels: withPosition({ levels: [0] }),
      'interned values': {
        ...right,
        search: { ...search, values: search.values.map((keys) => keys.slice(0, 1)) },
      },
      'states in the queue': withStates({ counts: [position.searched, ...states.counts.slice(1)] }),
      'halves of states': withStates({ rows: states.rows.map((row) => row.slice().fill(0)) }),
    };
    function withPosition(change: object): Checkpoint {
      return { ...right, search: { ...search, position: { ...position, ...change } } };
    }
    function withStates(change: object): Checkpoint {
      return { ...right, search: { ...search, states: { ...states, ...change } } };
    }
    const resumed = (resume: Checkpoint) => {
      try {
        return check(algorithmOf(one), { ...one.options, resume });
      } catch (error) {
        return String(error);
      }
    };
    expect(resumed(right)).toEqual(expected);
    for (const [what, checkpoint] of Object.entries(wrong)) {
      expect(resumed(checkpoint), what).not.toEqual(expected);
    }
  });
});

describe('a checkpoint', () => {
  const one: Case = { name: 'dolev-klawe-rodeh', options: { nodes: 6, starts: 'first', reduce: 'none' } };
  const saved = () => checkInParts(one, [{ cores: 1, turns: 300 }])[1][0];

  it('is refused in one line if bytes were changed, cut off or added', () => {
    const bytes = bytesOf(saved());
    expect(checkpointIn(bytes)).toEqual(saved());
    const refused = (text: Uint8Array): string => {
      try {
        checkpointIn(text);
      } catch (error) {
        expect((error as { code?: string }).code).toBe('HUSTINGS_INPUT');
        return (error as Error).message;
      }
      return 'accepted';
    };
    const line = /^(the checkpoint (is truncated|is damaged|has format)|it is not a checkpoint)[^\n]*$/;
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const damaged = Buffer.from(bytes);
        damaged[place] ^= change;
        expect(refused(damaged)).toMatch(line);
        expect(refused(bytes.subarray(0, place))).toMatch(line);
      }),
      { numRuns: 500, seed: 3 },
    );
    expect(refused(Buffer.concat([bytes, Buffer.of(0)]))).toBe(
      'the checkpoint is damaged: bytes follow its end',
    );
    expect(refused(bytes.subarray(0, -1))).toBe('the checkpoint is truncated: its last bytes are missing');
  });

  it.each([
    [{ crashes: 1 }, 'its crashes is 0, not 1'],
    [{ nodes: 7 }, 'its nodes is 6, not 7'],
    [{ order: 'ascending' }, 'its ids is '],
    [{ starts: 'free' }, 'its starts is first, not free'],
    [{ reduce: 'auto' }, 'its reduce is none, not auto'],
    [{ fingerprints: true }, 'its fingerprints is false, not true'],
    [{ bound: { round: 2 } }, 'its bound is none, not round=2'],
    [{ invariants: 'none' }, 'its invariants is '],
    [{ checkpointFacts: { version: '2' } }, 'its version is none, not 2'],
  ] as const)('of another check is refused: %j', (change, text) => {
    const resume = saved();
    expect(() => check(algorithmOf(one), { ...one.options, ...change, resume })).toThrow(
      `the checkpoint is of another check: ${text}`,
    );
  });

  it('of another graph with the same name and size is refused', () => {
    const [edges, other] = ['0 1\n1 2\n2 3\n', '0 1\n1 3\n3 2\n'];
    const graph: Case = { name: 'echo-election', options: { topology: 'edges:a', edgeText: edges } };
    const [, [resume]] = checkInParts(graph, [{ cores: 1, turns: 5 }]);
    expect(() => check(algorithmOf(graph), { topology: 'edges:a', edgeText: other, resume })).toThrow(
      'another check: its links is ',
    );
  });

  it('has no costs', () => {
    expect(() =>
      check(algorithmOf({ name: 'peterson', options: {} }), {
        nodes: 3,
        worst: 'messages',
        onStopped: () => {},
      }),
    ).toThrow('worst cannot be saved in a checkpoint: leave out worst, or the checkpoint');
  });
});
