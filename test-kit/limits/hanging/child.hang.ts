import { spawnSync } from 'node:child_process';
import { it } from 'vitest';

// A limit of this kind sends SIGTERM, which the child ignores, and waits on.
it('waits for a child that ignores SIGTERM', () => {
  spawnSync('sh', ['-c', 'trap "" TERM; sleep 987654 & while :; do wait; done'], { timeout: 100 });
});
