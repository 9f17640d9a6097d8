/** What happens to a member after it has started, and before an elector can use it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createElector } from '../../../hustings/src/index.ts';
import { openCluster } from '../../src/leases/open-cluster.ts';
import { localMembers } from '../wire/wire-cluster.ts';

const after = vi.hoisted(() => ({ start: (_report: (event: object) => void): void => undefined }));
vi.mock(import('../../src/host/cluster-node.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    startNode: async (options) => {
      const node = await actual.startNode(options);
      after.start((event) => options.onEvent?.(event as never));
      return node;
    },
  };
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-early-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    'stopped',
    { type: 'stopped', error: new Error('its disk is full') },
    'takes no part any more: its disk is full',
  ],
  [
    'removed',
    { type: 'removed', version: 7 },
    'was removed by version 7 of the member list; end this process',
  ],
])('that it was %s is told to the electors, as if that had come later', async (_, event, why) => {
  const members = await localMembers(1);
  after.start = (report) => report(event);
  const cluster = openCluster({ members, id: 1, algorithm: 'raft', folder });
  const elector = createElector({ cluster, name: 'job' });
  await expect(elector.leader()).rejects.toThrow(`member 1 of the cluster demo ${why}`);
  await cluster.close();
});
