/** The verbs of clusters. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Clusters:';

export const verbs: VerbTable = {
  node: {
    group,
    summary: 'run one member of a cluster',
    load: async () => (await import('./commands/node.ts')).addNode,
  },
  maelstrom: {
    group,
    summary: "run one node of Jepsen's Maelstrom on stdin and stdout",
    load: async () => (await import('./commands/maelstrom.ts')).addMaelstrom,
  },
  cluster: {
    group,
    summary: 'run a whole cluster on this machine, or write the files of one',
    load: async () => (await import('./commands/cluster.ts')).addCluster,
  },
};
