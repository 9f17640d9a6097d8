import { expect, test } from 'vitest';
import { builtUrl, modulesLoadedBy } from '../../../../test/source/loaded-modules.ts';

/** The registry names the stores, and loads one when it is opened. */
const ALLOWED =
  /^(base\/(?!command\/|http\/)|hustings\/(index\.js$|elector\/|lease\/(?!stores\/(?!registry\.js)|doctor\/)))/;

const importOf = (path: string): string => `await import(${JSON.stringify(builtUrl(path))});`;

test('importing hustings loads the elector, the lease core and the base errors, and no store', () => {
  const loaded = modulesLoadedBy(importOf('hustings/index.js'));
  expect(loaded).toContain('hustings/elector/create-elector.js');
  expect(loaded.filter((path) => !ALLOWED.test(path))).toEqual([]);
});

test('an elector of a cluster that leads loads nothing of the cluster, the kernel or the algorithms by itself', () => {
  const loaded = modulesLoadedBy(`
    const { createElector } = await import(${JSON.stringify(builtUrl('hustings/index.js'))});
    const leases = {
      label: 'a fake', capabilities: {}, maxItems: 1, isPushing: () => true, watch: () => () => {},
      acquire: async () => [{ type: 'ok', token: 1n, checkpoint: null }], release: async () => [{ type: 'ok' }],
    };
    const elector = createElector({ cluster: { id: 1, leaseMs: 900, leases: async () => leases }, name: 'job' });
    await elector.runOnce(() => {});
    await elector.close();`);
  expect(loaded).toContain('hustings/elector/leading.js');
  expect(loaded.filter((path) => !ALLOWED.test(path))).toEqual([]);
});

test('openCluster loads no algorithm of the catalogue before one is given by its name', () => {
  const loaded = modulesLoadedBy(importOf('cluster/index.js'));
  expect(loaded).toContain('cluster/leases/open-cluster.js');
  expect(loaded.filter((path) => path.startsWith('study/algorithms/'))).toEqual([]);
});

test('the hook sees modules that are loaded through others: the simulator loads the kernel', () => {
  const loaded = modulesLoadedBy(importOf('study/simulator/index.js'));
  expect(loaded.some((path) => path.startsWith('study/kernel/'))).toBe(true);
});
