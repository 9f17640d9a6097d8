/** The verbs of algorithms. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Algorithms:';

export const verbs: VerbTable = {
  welcome: {
    group,
    summary: 'show a first election with an explanation',
    load: async () => (await import('./commands/welcome.ts')).addWelcome,
  },
  algorithms: {
    group,
    summary: 'list the algorithms, or describe one',
    load: async () => (await import('./commands/algorithms.ts')).addAlgorithms,
  },
  run: {
    group,
    summary: 'run a TypeScript program that imports hustings',
    load: async () => (await import('./commands/run.ts')).addRun,
  },
  simulate: {
    group,
    summary: 'run an election and count its cost',
    load: async () => (await import('./commands/simulate.ts')).addSimulate,
  },
  sweep: {
    group,
    summary: 'measure the cost over many sizes, and compare it with the laws',
    load: async () => (await import('./commands/sweep.ts')).addSweep,
  },
  check: {
    group,
    summary: 'model-check an election: explore its whole state space',
    load: async () => (await import('./commands/check.ts')).addCheck,
  },
  replay: {
    group,
    summary: 'replay a counterexample, or the recordings of a cluster',
    load: async () => (await import('./commands/replay.ts')).addReplay,
  },
};
