import { expect, test } from 'vitest';
import { StoreError } from '../../src/lease/core/store-error.ts';
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { KitGroup } from './kit-group.ts';

test('a member that may read and not write for a while asks with back-off, and owns its shards again', async () => {
  const group = new KitGroup();
  const { kit } = group;
  let isRefused = false;
  let claims = 0;
  const store = new Proxy<LeaseStore>(kit.store, {
    get: (inner, key) => {
      const member = Reflect.get(inner, key, inner) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (key === 'acquire') claims += (args[0] as readonly unknown[]).length;
        const isWrite = key === 'acquire' || key === 'renew';
        if (isRefused && isWrite) return Promise.reject(new StoreError('denied', 'read only'));
        return member.apply(inner, args);
      };
    },
  });
  const member = group.join('a', undefined, { store });
  await kit.until(() => group.seen('a', 'acquired').length === 4);
  isRefused = true;
  await kit.until(() => group.seen('a', 'ended').length === 4);
  claims = 0;
  await kit.advance(30_000);
  // Four shards and the group's own election, each about once a second.
  expect(claims).toBeGreaterThan(5);
  expect(claims).toBeLessThan(500);
  expect(group.ends.size).toBe(0);
  isRefused = false;
  await kit.until(() => group.seen('a', 'acquired').length === 8);
  expect(await group.settled(member.close())).toBe(null);
});
