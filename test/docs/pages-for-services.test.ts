import { runPages } from './run-pages.ts';

runPages({
  'docs/leases.md': [/^this process leads/],
  'docs/elector.md': [/^\[ 'orders', 'stock' \]/],
  'docs/moving.md': [],
  'docs/guarantees.md': [],
  'docs/choosing-a-store.md': [],
  'docs/stores/sqlite.md': [/^I lead$/m],
  'docs/stores/memory.md': [/^first\nsecond\n\[\]$/m],
  'docs/lead.md': [],
  'docs/shards.md': [],
  'docs/testing.md': [/# pass 6\n# fail 0/],
  'docs/cluster.md': [],
  'docs/jobs/cron.md': [],
  'docs/jobs/queue-consumer.md': [],
  'docs/jobs/bullmq.md': [],
  'docs/jobs/migration.md': [
    /^migrated to version 1\nmigrated to version 2\n/,
    /^the database has version 2\n/,
  ],
  'docs/jobs/http-service.md': [],
  'docs/jobs/websocket.md': [],
  'docs/jobs/shards.md': [/^hands over at position \d+\n/],
  'docs/jobs/kubernetes.md': [],
  'docs/jobs/systemd.md': [],
  'docs/jobs/python.md': [],
});
