import { runPages } from './run-pages.ts';

runPages({
  'docs/leases.md': [],
  'docs/moving.md': [],
  'docs/guarantees.md': [],
  'docs/choosing-a-store.md': [],
  'docs/stores/sqlite.md': [/^I lead$/m],
  'docs/stores/memory.md': [/^first\nsecond\n\[\]$/m],
  'docs/lead.md': [],
  'docs/shards.md': [],
  'docs/testing.md': [/# pass 6\n# fail 0/],
  'docs/cluster.md': [],
});
