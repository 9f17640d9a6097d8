import { afterEach } from 'vitest';
import {
  ZookeeperLeaseStore,
  type ZookeeperStoreOptions,
} from '../../../../src/lease/stores/zookeeper/zookeeper-lease-store.ts';

/** What each test has started. It is ended after the test, the latest first. */
export const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

export async function open(url: string, options?: ZookeeperStoreOptions): Promise<ZookeeperLeaseStore> {
  const store = await ZookeeperLeaseStore.open(url, options);
  toEnd.push(() => store.close());
  return store;
}
