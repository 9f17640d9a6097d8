/**
 * How a store may be replaced behind the backs of its candidates, and when a lease is granted again that it has forgotten. Each
 * row is proved by the test of its store, and the page of the store in docs/stores shows it.
 *
 * `after one TTL`: the replacement shows, and the forgotten leader has stopped by then. `at once`: it does not show, and two
 * candidates may lead until the deadline of the forgotten leader.
 */
export type Grant = 'at once' | 'after one TTL';

export const REPLACEMENTS = {
  SQLite: {
    'the file is removed': 'at once',
    'an older copy of the file is put in its place': 'at once',
    'rows are deleted': 'at once',
  },
  Redis: {
    'everything is deleted (`FLUSHALL`)': 'after one TTL',
    'the server restarts with an older snapshot': 'after one TTL',
    'the keys of one election are deleted': 'at once',
  },
  PostgreSQL: {
    'the tables are dropped': 'at once',
    'an older dump is restored': 'at once',
    'rows are deleted': 'at once',
  },
  'MySQL, MariaDB': {
    'the tables are dropped': 'at once',
    'an older dump is restored': 'at once',
    'rows are deleted': 'at once',
  },
  etcd: {
    'all keys are deleted': 'at once',
    'an older snapshot is restored as a new cluster (`--initial-cluster-token`)': 'after one TTL',
    'an older snapshot is restored with the token and the members of the old cluster': 'at once',
  },
  ZooKeeper: {
    'all nodes are deleted': 'at once',
    'an older copy of the data is restored': 'at once',
  },
  Kubernetes: {
    'the Lease objects are deleted': 'at once',
    'older Lease objects are created in their place': 'after one TTL',
    'the older content is written into the Lease objects': 'at once',
  },
  NATS: {
    'the bucket is deleted': 'after one TTL',
    'an older copy of the data is restored': 'at once',
    'an older copy of the bucket is restored (`nats stream restore`)': 'at once',
    'the key of one election is deleted': 'at once',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Grant>>>>;
