import { describe, expect, it } from 'vitest';
import {
  check,
  counterexampleOf,
  isReproduced,
  narrateReplay,
  replayCounterexample,
} from '../../../src/checker/index.ts';
import { drawReplay } from '../../../src/cli/picture/replay-diagram.ts';
import { PALETTES } from '../../../src/drawing/index.ts';
import { type AnyAlgorithm, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

const frame = {
  title: 'Specimen',
  source: 'none',
  cost: 'none',
  params: {},
  laws: [],
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  messages: { token: message() },
} as const;

/** Two nodes exchange a token forever. */
const pingPong: AnyAlgorithm = defineAlgorithm({
  ...frame,
  name: 'ping-pong',
  state: {},
  onStart(_state, ctx) {
    ctx.send(1, 'token');
  },
  on: {
    token(_state, _port, _message, ctx) {
      ctx.forward(1);
    },
  },
});

/** A node that draws a two leads. */
const dice: AnyAlgorithm = defineAlgorithm({
  ...frame,
  name: 'dice',
  state: { red: flag() },
  onStart(_state, ctx) {
    if (ctx.random(2) === 2) ctx.decide('leader');
    else ctx.send(1, 'token');
  },
  on: {
    token(state) {
      state.red = true;
    },
  },
});

function found(algorithm: AnyAlgorithm, initiators: readonly number[]) {
  const options = { ids: [1, 2], initiators };
  const counterexample = counterexampleOf(algorithm, check(algorithm, options), options);
  if (counterexample === null) throw new Error('no counterexample');
  return counterexample;
}

describe('a counterexample', () => {
  it('of a livelock is reproduced by a search, and only if the search finds it', () => {
    const endless = found(pingPong, [0]);
    const replayed = replayCounterexample(pingPong, endless);
    expect(replayed).toMatchObject({ ended: false, violation: null });
    expect(isReproduced(pingPong, endless, replayed)).toBe(true);
    expect(isReproduced(pingPong, { ...endless, text: 'something else' }, replayed)).toBe(false);
  });

  it('with random draws, which its steps do not name, is the run with those draws', () => {
    const lucky = { ...found(dice, [0, 1]), steps: ['start 0', 'start 1'], property: 'uniqueness' };
    const replayed = replayCounterexample(dice, lucky);
    expect(isReproduced(dice, lucky, replayed)).toBe(true);
    expect(narrateReplay(replayed)).toEqual([
      '  1. node 0 (id 1) starts: becomes the leader',
      '  2. node 1 (id 2) starts: becomes the leader',
    ]);
    // Two gold rows.
    expect(drawReplay(replayed, lucky).split(`fill="${PALETTES.light.goldWash}"`)).toHaveLength(3);
  });
});
