/**
 * What must hold when somebody replaces a store while a candidate leads: the next renewal of that leader fails, so that it leads
 * at most until its deadline; the next token is larger, so that a fence refuses the old leader; and the history has what the
 * backup has, without the terms after it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { TestServer } from '../../../../../test-kit/servers/index.ts';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { claim, eventually, releaseOf, renew, win } from '../contract/single-call.ts';
import { type Grant, REPLACEMENTS } from './replacements.ts';

export const NAME = 'job';
const TTL_MS = 2_000;
const LIMIT_MS = 180_000;

export interface Scene<Server = TestServer> {
  readonly server: Server;
  /** For backups. */
  readonly folder: string;
}

export interface Replacement<Server = TestServer> {
  /** Called after an earlier term, before that of the leader. */
  readonly backUp?: (scene: Scene<Server>) => Promise<unknown>;
  readonly replace: (scene: Scene<Server>) => Promise<unknown>;
}

interface ReplacedStore<Title extends keyof typeof REPLACEMENTS, Server> {
  start(): Promise<Server>;
  stop(server: Server): Promise<void>;
  open(scene: Scene<Server>): Promise<LeaseStore>;
  /** The processes that use the store must be restarted when it was replaced. */
  readonly isLeft?: true;
  readonly replacements: { readonly [How in keyof (typeof REPLACEMENTS)[Title]]: Replacement<Server> };
}

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

/** One test for each replacement of the store. */
export function replacedStore<Title extends keyof typeof REPLACEMENTS, Server>(
  title: Title,
  { start, stop, open, isLeft, replacements }: ReplacedStore<Title, Server>,
): void {
  for (const [how, grant] of Object.entries<Grant>(REPLACEMENTS[title])) {
    const { backUp, replace } = replacements[how as keyof typeof replacements] as Replacement<Server>;
    const outcome =
      grant === 'at once'
        ? 'a candidate leads at once, and the old leader until its deadline at most'
        : 'nobody is elected for one TTL, and the old leader has stopped by then';
    it(
      `${how}: ${outcome}; tokens increase`,
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'hustings-replaced-'));
        toEnd.push(() => rmSync(folder, { recursive: true, force: true }));
        const server = await start();
        toEnd.push(() => stop(server));
        const scene = { server, folder };
        const opened = async () => {
          const store = await open(scene);
          toEnd.push(() => store.close());
          return store;
        };
        const [a, waiting] = [await opened(), await opened()];
        const earlier = await lead(a, 'a');
        await a.release([releaseOf(NAME, 'a', earlier)]);
        await backUp?.(scene);
        const old = await lead(a, 'a');
        await replace(scene);
        const sinceMs = performance.now();
        const b = isLeft ? await opened() : waiting;
        if (grant === 'after one TTL') {
          await fails(a, old);
          const token = await lead(b, 'b');
          expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(TTL_MS);
          expect(token > old).toBe(true);
        } else {
          const ask = () => claim(b, NAME, 'b', TTL_MS).catch(() => undefined);
          const { type } = await eventually(ask, 'b is answered');
          expect(type, 'if this is no longer so, correct replacements.ts').toBe('ok');
        }
        const [{ holder, token: newer }] = await b.read([NAME]);
        expect(holder?.id).toBe('b');
        expect(newer > old).toBe(true);
        // Connected again, so that its renewal arrives at once.
        if (!isLeft) await eventually(() => a.read([NAME]).catch(() => undefined), 'a is answered');
        await fails(a, old);
        const history = await b.history(NAME);
        expect(history.map(({ token }) => token)).toEqual(backUp === undefined ? [newer] : [newer, earlier]);
        expect((await b.read([NAME]))[0]).toMatchObject({ holder: { id: 'b' }, token: newer });
      },
      LIMIT_MS,
    );
  }
}

const lead = (store: LeaseStore, id: string): Promise<bigint> =>
  eventually(() => win(store, NAME, id, TTL_MS).catch(() => undefined), `${id} leads`);

/** The store may answer with errors first, and with such an error for ever; it never answers that the lease was renewed. */
async function fails(store: LeaseStore, token: bigint): Promise<void> {
  await eventually(async () => {
    try {
      const { type } = await renew(store, NAME, 'a', token);
      expect(type).toBe('lost');
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return ['unusable', 'unprepared'].includes(error.kind) || undefined;
    }
  }, 'the renewal of the old leader fails');
}
