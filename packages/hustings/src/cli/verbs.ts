/** The verbs of leases. None loads an algorithm. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Leases:';

export const LEASE_VERBS: VerbTable = {
  lead: {
    group,
    summary: 'run a command only while this process leads',
    load: async () => (await import('./commands/lead.ts')).addLead,
  },
  serve: {
    group,
    summary: 'elections over HTTP, for a service in any language',
    load: async () => (await import('./commands/serve.ts')).addServe,
  },
  cron: {
    group,
    summary: 'run a command at each tick of a schedule, once among all processes',
    load: async () => (await import('./commands/cron.ts')).addCron,
  },
  ticks: {
    group,
    summary: 'list the ticks of a schedule, and how each ended',
    load: async () => (await import('./commands/ticks.ts')).addTicks,
  },
  assert: {
    group,
    summary: "check the remaining lease, in a command of 'lead'",
    load: async () => (await import('./commands/assert.ts')).addAssert,
  },
  leader: {
    group,
    summary: 'print the current leader',
    load: async () => (await import('./commands/leader.ts')).addLeader,
  },
  candidates: {
    group,
    summary: 'list the candidates that wait for a lease',
    load: async () => (await import('./commands/candidates.ts')).addCandidates,
  },
  shards: {
    group,
    summary: 'print who owns the shards of a group',
    load: async () => (await import('./commands/shards.ts')).addShards,
  },
  history: {
    group,
    summary: 'list past terms, with the reason why each ended',
    load: async () => (await import('./commands/history.ts')).addHistory,
  },
  evict: {
    group,
    summary: 'forbid the leader to renew its lease',
    load: async () => (await import('./commands/evict.ts')).addEvict,
  },
  transfer: {
    group,
    summary: 'ask the leader to hand over to another candidate',
    load: async () => (await import('./commands/transfer.ts')).addTransfer,
  },
  store: {
    group,
    summary: 'prepare a store for leases, or delete elections that nobody uses',
    load: async () => (await import('./commands/store.ts')).addStore,
  },
  doctor: {
    group,
    summary: 'examine a store: its guarantees, and whether leases work',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
};
