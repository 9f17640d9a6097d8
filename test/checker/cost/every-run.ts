/**
 * All runs of a small election, one by one, on the machine that replays use: nothing is remembered, left out or packed.
 * An oracle for what runs cost at most and at least.
 */
import type { Letter, Scene } from '../../../src/checker/replay/configuration.ts';
import { StagePlay } from '../../../src/checker/replay/step-interpreter.ts';
import { parseStep } from '../../../src/checker/replay/step-text.ts';
import { resolveSetup } from '../../../src/kernel/driver.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

export interface Costs {
  runs: number;
  mostMessages: number;
  leastMessages: number;
  /** The longest chain of messages. */
  longest: number;
}

interface Flight {
  readonly letter: Letter;
  readonly chain: number;
}

/** Null if there are more runs than `limit`. */
export function costsOfEveryRun(
  algorithm: AnyAlgorithm,
  ids: readonly number[],
  initiators: readonly number[],
  fifo: boolean,
  limit: number,
): Costs | null {
  const play = new StagePlay(resolveSetup(algorithm, { ids }), {
    initiators,
    fifo,
    startFirst: false,
    dead: [],
  });
  const timers = algorithm.timers ?? [];
  const costs: Costs = { runs: 0, mostMessages: 0, leastMessages: Number.POSITIVE_INFINITY, longest: 0 };
  let steps = 0;
  const isOver = (): boolean => steps > limit;

  const visit = (scene: Scene, sent: number, chains: readonly number[], flights: readonly Flight[]): void => {
    steps++;
    if (isOver()) return;
    if (play.isEnd(scene)) {
      costs.runs++;
      costs.mostMessages = Math.max(costs.mostMessages, sent);
      costs.leastMessages = Math.min(costs.leastMessages, sent);
      costs.longest = Math.max(costs.longest, ...chains);
      return;
    }
    const take = (text: string, at: number, taken: Flight | null): void => {
      for (const next of play.play(scene, parseStep(text), 0)) {
        const after = taken === null ? chains : chains.with(at, Math.max(chains[at], taken.chain));
        const fresh = next.letters.filter((letter) => !scene.letters.includes(letter));
        const rest = flights.filter((flight) => flight !== taken);
        const added = fresh.map((letter) => ({ letter, chain: after[at] + 1 }));
        visit(next, sent + fresh.length, after, [...rest, ...added]);
      }
    };
    for (const at of scene.nodes.keys()) {
      if (play.mayStart(scene, at)) take(`start ${at}`, at, null);
      for (const [k, timer] of timers.entries()) {
        if (scene.timers[at][k] >= 0) take(`timer ${at} ${timer}`, at, null);
      }
    }
    flights.forEach((flight, k) => {
      const { from, to, port, text } = flight.letter;
      const before = flights.slice(0, k).map(({ letter }) => letter);
      if (fifo && before.some((other) => other.to === to && other.port === port)) return;
      // Two ports between one pair of nodes are two links, and a step names only the nodes.
      take(`deliver ${from} > ${to} ${text}`, to, flight);
    });
  };
  const opening = play.opening();
  visit(
    opening,
    0,
    opening.nodes.map(() => 0),
    [],
  );
  return isOver() ? null : costs;
}
