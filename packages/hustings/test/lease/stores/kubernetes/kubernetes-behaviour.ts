/** What is specific to Kubernetes, on any API server: candidates that use client-go, and roles that are too narrow. */
import { describe, expect, it } from 'vitest';
import { grant, revoke } from '../../../../../../test-kit/servers/kubernetes-exchange.ts';
import type { KubernetesServer } from '../../../../../../test-kit/servers/kubernetes-server.ts';
import type { LeaseStore } from '../../../../src/lease/lease-store.ts';
import { KubernetesLeaseStore } from '../../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import { claimOf, releaseOf } from '../../contract/single-call.ts';
import { LEASES } from './kubernetes-contract.ts';

let names = 0;
const LONG = { ttlMs: 60_000 };

/** A candidate of client-go, by hand: the object and the rules of its LeaseLock and of its tryAcquireOrRenew. */
class ClientGo {
  constructor(
    private readonly server: KubernetesServer,
    private readonly name: string,
    private readonly identity: string,
    private readonly seconds = 15,
  ) {}

  // biome-ignore lint/suspicious/noExplicitAny: the object as client-go keeps it
  async get(): Promise<any> {
    const { body, status } = await this.server.ask('GET', `${LEASES}/${this.name}`);
    return status === 200 ? body : null;
  }

  /** Update replaces the fields, and keeps the metadata that Get returned. */
  async write(spec: object): Promise<number> {
    const before = await this.get();
    if (before === null) {
      const metadata = { name: this.name, namespace: 'default' };
      return (await this.server.ask('POST', LEASES, { metadata, spec })).status;
    }
    return (await this.server.ask('PUT', `${LEASES}/${this.name}`, { ...before, spec })).status;
  }

  async acquireOrRenew(): Promise<number> {
    const spec = (await this.get())?.spec;
    const now = microTime();
    const isOwn = spec?.holderIdentity === this.identity;
    return this.write({
      holderIdentity: this.identity,
      leaseDurationSeconds: this.seconds,
      acquireTime: isOwn ? spec.acquireTime : now,
      renewTime: now,
      leaseTransitions: spec === undefined ? 0 : (spec.leaseTransitions ?? 0) + (isOwn ? 0 : 1),
    });
  }

  async release(): Promise<number> {
    const { leaseTransitions } = (await this.get()).spec;
    const now = microTime();
    return this.write({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions,
    });
  }
}

const microTime = (): string => new Date().toISOString().replace('Z', '000Z');

export function kubernetesBehaviour(label: string, server: () => KubernetesServer): void {
  const fresh = (): string => `behaviour-${++names}`;
  const withStore = async <Answer>(
    act: (store: LeaseStore) => Promise<Answer>,
    url = server().url,
  ): Promise<Answer> => {
    const store = await KubernetesLeaseStore.open(url);
    try {
      return await act(store);
    } finally {
      await store.close();
    }
  };
  const win = async (store: LeaseStore, name: string, id: string, more: object = LONG): Promise<bigint> => {
    const [answer] = await store.acquire([claimOf(name, id, more)]);
    if (answer.type !== 'ok') throw new Error(`${id} did not get ${name}`);
    return answer.token;
  };

  describe(`an election that is shared with client-go: ${label}`, () => {
    it('has the fields that client-go writes, the token and the name', () =>
      withStore(async (store) => {
        const name = fresh();
        const token = await win(store, name, 'a', { ttlMs: 14_001 });
        const other = new ClientGo(server(), name, 'b');
        const { spec, metadata } = await other.get();
        expect(spec).toEqual({
          holderIdentity: 'a_a-nonce',
          leaseDurationSeconds: 15,
          acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
          renewTime: spec.acquireTime,
          leaseTransitions: 0,
        });
        expect(metadata.annotations).toMatchObject({
          'hustings/token': String(token),
          'hustings/name': name,
        });
        await store.renew([{ name, nonce: 'a-nonce', token, ttlMs: 14_001 }]);
        const renewed = (await other.get()).spec;
        expect(renewed.renewTime >= spec.renewTime).toBe(true);
        expect(renewed).toEqual({ ...spec, renewTime: renewed.renewTime });
        await store.release([releaseOf(name, 'a', token)]);
        expect((await other.get()).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
        await win(store, name, 'a');
        expect((await other.get()).spec.leaseTransitions).toBe(1);
      }));

    it('is respected while client-go renews, and taken over when the record has not changed', () =>
      withStore(async (store) => {
        const name = fresh();
        const other = new ClientGo(server(), name, 'controller_1');
        await other.acquireOrRenew();
        const held = async () => (await store.acquire([claimOf(name, 'a', LONG)]))[0];
        const first = await held();
        if (first.type !== 'held') throw new Error('granted');
        expect(first.record).toMatchObject({
          holder: { id: 'controller_1', ttlMs: 15_000 },
          durationMs: 15_000,
        });
        // The version changes with each renewal, and with nothing else.
        expect((await store.read([name]))[0].version).toBe(first.record.version);
        await store.acquire([claimOf(name, 'c', { ...LONG, registerMs: 60_000 })]);
        expect((await store.read([name]))[0].version).toBe(first.record.version);
        await other.acquireOrRenew();
        const second = await held();
        if (second.type !== 'held') throw new Error('granted');
        expect(second.record.version).not.toBe(first.record.version);
        const stale = await store.acquire([
          claimOf(name, 'a', { ...LONG, staleVersion: first.record.version }),
        ]);
        expect(stale[0].type).toBe('held');
        const before = (await other.get()).spec;
        await win(store, name, 'a', { ...LONG, staleVersion: second.record.version });
        expect((await other.get()).spec).toMatchObject({
          holderIdentity: 'a_a-nonce',
          leaseTransitions: before.leaseTransitions + 1,
        });
        expect((await store.candidates(name)).map(({ id }) => id)).toEqual(['c']);
      }));

    it('is free at once when client-go releases it', () =>
      withStore(async (store) => {
        const name = fresh();
        const other = new ClientGo(server(), name, 'controller_1');
        const earlier = await win(store, name, 'a');
        await store.release([releaseOf(name, 'a', earlier)]);
        await other.acquireOrRenew();
        expect((await store.acquire([claimOf(name, 'a', LONG)]))[0].type).toBe('held');
        await other.release();
        expect((await store.read([name]))[0].holder).toBeNull();
        expect((await win(store, name, 'a')) > earlier).toBe(true);
      }));

    it('is lost for a candidate whose record client-go has taken over, also after client-go released it', () =>
      withStore(async (store) => {
        const name = fresh();
        const token = await win(store, name, 'a');
        const other = new ClientGo(server(), name, 'controller_1');
        await other.acquireOrRenew();
        const renewal = { name, nonce: 'a-nonce', token, ...LONG };
        expect((await store.renew([renewal]))[0].type).toBe('lost');
        await expect(store.evict(name)).rejects.toThrow(/controller_1.*is no candidate of hustings/);
        await expect(store.requestTransfer(name, 'b')).rejects.toThrow(/stop that program/);
        await other.release();
        expect((await store.renew([renewal]))[0].type).toBe('lost');
        await win(store, name, 'b');
        expect((await store.history(name)).map(({ holder, cause }) => [holder, cause])).toEqual([
          ['b', null],
          ['a', 'expired'],
        ]);
      }));

    it('keeps labels and annotations of others', () =>
      withStore(async (store) => {
        const name = fresh();
        const token = await win(store, name, 'a');
        const path = `${LEASES}/${name}`;
        const { body } = await server().ask('GET', path);
        const labels = { ...body.metadata.labels, team: 'x' };
        const annotations = { ...body.metadata.annotations, note: 'y' };
        const changed = { ...body, metadata: { ...body.metadata, labels, annotations } };
        expect((await server().ask('PUT', path, changed)).status).toBe(200);
        expect((await store.renew([{ name, nonce: 'a-nonce', token, ...LONG }]))[0].type).toBe('ok');
        const { metadata } = (await server().ask('GET', path)).body;
        expect(metadata.labels.team).toBe('x');
        expect(metadata.annotations.note).toBe('y');
      }));
  });

  describe(`the object of an election: ${label}`, () => {
    it('is not created again by the renewal of a holder whose object was deleted', () =>
      withStore(async (store) => {
        const name = fresh();
        const token = await win(store, name, 'a');
        await server().ask('DELETE', `${LEASES}/${name}`);
        expect((await store.renew([{ name, nonce: 'a-nonce', token, ...LONG }]))[0].type).toBe('lost');
        expect((await server().ask('GET', `${LEASES}/${name}`)).status).toBe(404);
        expect((await win(store, name, 'b')) > token).toBe(true);
      }));
  });

  describe(`rights in Kubernetes: ${label}`, () => {
    it.each([
      ['get', []],
      ['create', [{ verbs: ['get'] }]],
      ['update', [{ verbs: ['get', 'create'] }]],
    ] as const)(
      'a user that may not %s is told the verb, the namespace and the rule',
      async (verb, rights) => {
        const name = fresh();
        if (verb === 'update') await withStore((store) => win(store, name, 'a', LONG));
        if (rights.length > 0) await grant(server(), 'narrow', rights);
        try {
          await withStore(async (store) => {
            const request = claimOf(name, 'b', { ...LONG, registerMs: 60_000 });
            const error = await store.acquire([request]).catch((reason: unknown) => reason);
            expect(error).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
            expect(String(error)).toMatch(
              new RegExp(
                `denies "${verb}" on leases.coordination.k8s.io .* in the namespace default; add to a Role`,
              ),
            );
            // The same store works as soon as the role is there.
            await grant(server(), 'wide', [{ verbs: ['list', 'get', 'create', 'update'] }]);
            const [answer] = await store.acquire([request]);
            expect(answer.type).toBe(verb === 'update' ? 'held' : 'ok');
          }, server().urlFor('limited'));
        } finally {
          await revoke(server(), 'wide');
          if (rights.length > 0) await revoke(server(), 'narrow');
        }
      },
    );

    it('a role for one election works without the settings, and cannot raise tokens', async () => {
      const name = fresh();
      await withStore(async (store) => {
        await store.release([releaseOf(name, 'a', await win(store, name, 'a'))]);
      });
      await grant(server(), 'one', [{ verbs: ['get', 'update', 'watch'], resourceNames: [name] }]);
      try {
        await withStore(async (store) => {
          const token = await win(store, name, 'b');
          expect((await store.renew([{ name, nonce: 'b-nonce', token, ...LONG }]))[0].type).toBe('ok');
          await expect(store.acquire([claimOf('another', 'b', LONG)])).rejects.toThrow(/denies "get"/);
          await expect(store.names()).rejects.toThrow(/denies "list"/);
          await expect(store.init({ tokenFrom: token + 1n })).rejects.toThrow(/denies "(create|update)"/);
          const { warnings, problems } = await store.probe();
          expect(problems).toEqual([]);
          expect(warnings.join()).toMatch(/may not get, create, update every Lease.*resourceNames/s);
        }, server().urlFor('limited'));
      } finally {
        await revoke(server(), 'one');
      }
    });

    it('a role that may create every Lease and read one works, although there are settings that it may not read', async () => {
      const name = fresh();
      await withStore((store) => store.init());
      await grant(server(), 'one', [
        { verbs: ['get', 'update', 'watch'], resourceNames: [name] },
        { verbs: ['create'] },
      ]);
      try {
        await withStore((store) => win(store, name, 'a'), server().urlFor('limited'));
      } finally {
        await revoke(server(), 'one');
      }
    });

    it('a namespace that does not exist is named, with the command that creates it', async () => {
      const url = server().url.replace('/default?', '/nowhere?');
      await withStore(async (store) => {
        const text = /no such namespace; run kubectl create namespace nowhere/;
        await expect(store.acquire([claimOf('x', 'a', LONG)])).rejects.toThrow(text);
        await expect(store.read(['x'])).rejects.toThrow(text);
        await expect(store.names()).rejects.toThrow(text);
      }, url);
    });
  });
}
