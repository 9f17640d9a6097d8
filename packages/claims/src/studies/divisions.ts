/** The divided rings of Shirali et al., and the messages that meet at a node. */
import { bullyIds } from '@hustings/study/algorithms';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { Run, SimulateOptions } from '@hustings/study/simulator';
import { type Study, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { stated } from '../origin.ts';
import { SHIRALI } from '../sources.ts';

/** All nodes live, the node at position 0 detects, and two links ahead suffice. */
export function division(
  nodes: number,
  u: number,
  depth: number,
): SimulateOptions & { readonly nodes: number } {
  return { nodes, initiators: [0], crash: 'none', set: { u, depth, successors: 2 } };
}

/** All divisions up to `most` nodes. */
export function* divisions(most: number): Generator<{ n: number; u: number; depth: number }> {
  for (let n = 2; n <= most; n++) {
    for (let u = 2; u <= n; u++) {
      for (let depth = 1; n % u ** depth === 0; depth++) yield { n, u, depth };
    }
  }
}

/** L_1 to L_r. */
export function lengths(n: number, u: number, depth: number): number[] {
  return Array.from({ length: depth + 1 }, (_, ring) => n / u ** ring);
}

export const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0);

export function latency(run: Run): number {
  return Number(run.outcome().time.announcementReturnedAt);
}

/** The largest number of messages that arrive at one node at one moment, and that node's run. */
export function maxAtOnce(experiment: Experiment, algorithm: AnyAlgorithm, options: SimulateOptions) {
  const arrivals = new Map<string, number>();
  let most = 0;
  const run = experiment.run(algorithm, {
    ...options,
    observe: (event) => {
      if (event.type !== 'deliver') return;
      const key = `${event.node} ${event.time}`;
      const count = (arrivals.get(key) ?? 0) + 1;
      arrivals.set(key, count);
      most = Math.max(most, count);
    },
  });
  return { most, run };
}

/** A claim that an algorithm has fewer collisions than bully. */
export function collisions(id: string, at: string, algorithm: AnyAlgorithm, title: string): Study {
  return study({
    id,
    origin: stated([SHIRALI, at]),
    says: `${title} has fewer collisions than bully, if there are many processes and one with a small number detects the crash`,
    method: 'one run',
    measure(experiment) {
      const bullies = maxAtOnce(experiment, bullyIds, { nodes: 64, order: 'ascending', initiators: [1] });
      const rings = [1, 2].map((depth) => maxAtOnce(experiment, algorithm, division(64, 4, depth)));
      return {
        verdict: verdictOf(rings.every(({ most }) => most < bullies.most)),
        measured: `n = 64: at most ${rings.map(({ most }) => most).join(' and ')} messages reach a node at one moment with one and two divisions, ${bullies.most} with bully`,
        why: 'interpreted as: messages that arrive at one node at the same moment collide',
        replay: rings[1].run.plan.replay,
      };
    },
  });
}
