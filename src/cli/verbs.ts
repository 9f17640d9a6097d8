/** The registry of verbs. To add one: its file in commands/, its line here, its test, and its page in docs/. */
import type { Command } from 'commander';

export interface Verb {
  /** The heading under which `hustings --help` lists it. */
  readonly group: string;
  /** Loads the verb's module, and returns the function that adds the verb to the program. */
  readonly load: () => Promise<(program: Command) => void>;
}

const algorithms = (load: Verb['load']): Verb => ({ group: 'Algorithms:', load });
const clusters = (load: Verb['load']): Verb => ({ group: 'Clusters:', load });
const leases = (load: Verb['load']): Verb => ({ group: 'Leases:', load });

/** Each verb is loaded only when it is used: a lease needs no algorithm. */
export const VERBS: Readonly<Record<string, Verb>> = {
  welcome: algorithms(async () => (await import('./commands/welcome.ts')).addWelcome),
  algorithms: algorithms(async () => (await import('./commands/algorithms.ts')).addAlgorithms),
  run: algorithms(async () => (await import('./commands/run.ts')).addRun),
  simulate: algorithms(async () => (await import('./commands/simulate.ts')).addSimulate),
  sweep: algorithms(async () => (await import('./commands/sweep.ts')).addSweep),
  worker: algorithms(async () => (await import('./commands/worker.ts')).addWorker),
  queue: algorithms(async () => (await import('./commands/queue.ts')).addQueue),
  reproduce: algorithms(async () => (await import('./commands/reproduce.ts')).addReproduce),
  check: algorithms(async () => (await import('./commands/check.ts')).addCheck),
  replay: algorithms(async () => (await import('./commands/replay.ts')).addReplay),
  lab: algorithms(async () => (await import('./commands/lab.ts')).addLab),
  node: clusters(async () => (await import('./commands/node.ts')).addNode),
  maelstrom: clusters(async () => (await import('./commands/maelstrom.ts')).addMaelstrom),
  cluster: clusters(async () => (await import('./commands/cluster.ts')).addCluster),
  lead: leases(async () => (await import('./commands/lead.ts')).addLead),
  serve: leases(async () => (await import('./commands/serve.ts')).addServe),
  cron: leases(async () => (await import('./commands/cron.ts')).addCron),
  ticks: leases(async () => (await import('./commands/ticks.ts')).addTicks),
  assert: leases(async () => (await import('./commands/assert.ts')).addAssert),
  leader: leases(async () => (await import('./commands/leader.ts')).addLeader),
  candidates: leases(async () => (await import('./commands/candidates.ts')).addCandidates),
  shards: leases(async () => (await import('./commands/shards.ts')).addShards),
  history: leases(async () => (await import('./commands/history.ts')).addHistory),
  evict: leases(async () => (await import('./commands/evict.ts')).addEvict),
  transfer: leases(async () => (await import('./commands/transfer.ts')).addTransfer),
  store: leases(async () => (await import('./commands/store.ts')).addStore),
  doctor: leases(async () => (await import('./commands/doctor.ts')).addDoctor),
};
