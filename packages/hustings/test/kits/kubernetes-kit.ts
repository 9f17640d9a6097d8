/** What must hold of kits/kubernetes on an API server: the stand-in in short tests, a real one in long ones. */
import { describe, expect, it } from 'vitest';
import { grant, revoke } from '../../../../test-kit/servers/kubernetes-exchange.ts';
import type { KubernetesServer } from '../../../../test-kit/servers/kubernetes-server.ts';
import { until } from '../../../../test-kit/until.ts';
import { openStore } from '../../src/lease/open-store.ts';
import { manifestsOf, readKit, verbsOf } from './kit-files.ts';

const NONE = {
  processProof: '',
  goneNonce: null,
  staleVersion: null,
  holdAtLeastMs: 0,
  priority: 0,
} as const;

/** Acquires, renews and releases a lease beside a waiting candidate, which must be notified. */
async function takePart(url: string, name: string): Promise<'notified' | 'not notified'> {
  const stores = await Promise.all([openStore(url), openStore(url)]);
  const [first, second] = stores;
  try {
    const request = { ...NONE, name, id: 'a', nonce: 'a', ttlMs: 60_000, registerMs: 60_000 };
    const [answer] = await first.acquire([request]);
    if (answer.type !== 'ok') throw new Error('the lease was not free');
    let isNotified = false;
    second.watch!(name, () => {
      isNotified = true;
    });
    await second.acquire([{ ...request, id: 'b', nonce: 'b' }]);
    const { token } = answer;
    await first.renew([{ name, nonce: 'a', token, ttlMs: 60_000 }]);
    // Without the right to watch, a store never says that it pushes: it has tried when it has been refused.
    await until(async () => second.isPushing() || (await isRefused(url, name)));
    const released = { name, nonce: 'a', token, reason: 'released', successor: null, reserveMs: 0 } as const;
    expect((await first.release([released]))[0].type).toBe('ok');
    if (!second.isPushing()) return 'not notified';
    await until(() => isNotified);
    return 'notified';
  } finally {
    for (const store of stores) await store.close();
  }
}

/** Whether the server refuses a watch. */
async function isRefused(url: string, name: string): Promise<boolean> {
  const store = await openStore(url);
  try {
    const { problems, warnings } = await store.probe();
    return [...problems, ...warnings].some((text) => text.includes('watch')) && name !== '';
  } finally {
    await store.close();
  }
}

let elections = 0;

export function kubernetesKit(label: string, server: () => KubernetesServer): void {
  const verbs = verbsOf(manifestsOf(readKit('kubernetes/rbac.yaml')));

  async function withVerbs<Result>(granted: readonly string[], act: (url: string) => Promise<Result>) {
    await grant(server(), 'kit', [{ verbs: granted }]);
    try {
      return await act(server().urlFor('limited'));
    } finally {
      await revoke(server(), 'kit');
    }
  }

  describe(`the role of kits/kubernetes on ${label}`, () => {
    it('is enough for an election, with notifications', async () => {
      const name = `kit-${++elections}`;
      await expect(withVerbs(verbs, (url) => takePart(url, name))).resolves.toBe('notified');
    });

    it.each(verbs.filter((verb) => verb !== 'watch'))(
      'has no verb too many: without %s the store is refused',
      async (verb) => {
        const rest = verbs.filter((each) => each !== verb);
        const name = `kit-${++elections}`;
        await expect(withVerbs(rest, (url) => takePart(url, name))).rejects.toMatchObject({
          code: 'HUSTINGS_STORE_DENIED',
          message: expect.stringContaining(`"${verb}"`),
        });
      },
    );

    it('has no verb too many: without watch nobody is notified', async () => {
      const rest = verbs.filter((each) => each !== 'watch');
      expect(rest).toHaveLength(verbs.length - 1);
      const name = `kit-${++elections}`;
      await expect(withVerbs(rest, (url) => takePart(url, name))).resolves.toBe('not notified');
    });
  });
}
