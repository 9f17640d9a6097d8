/**
 * The faults of a fleet. A fault that lasts returns the function that ends it, two TTLs later. Afterwards everything runs
 * again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { copyData, restoreData } from '../../../../../test-kit/servers/data-copy.ts';
import type { TestServer } from '../../../../../test-kit/servers/index.ts';
import { isPermanent, StoreError } from '../../../src/lease/core/store-error.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import type { Worker } from './fleet.ts';

const MAX_TRIES = 5;

export interface Scene {
  readonly ttlMs: number;
  readonly name: string;
  readonly folder: string;
  readonly server: TestServer | null;
  /** An operator's connection, which no fault of the network hits. */
  readonly store: LeaseStore;
  /** The leader in half of the cases. */
  readonly target: Worker;
  /** The leader was asked to hand over to this candidate. */
  onTransfer(to: string): void;
}

type Preparation = Omit<Scene, 'target' | 'onTransfer'>;

type EndOfFault = (() => void | Promise<void>) | void;

export interface Fault {
  readonly kind: string;
  /** The guarantees allow two leaders for one TTL from this fault on. */
  readonly allowsTwoLeaders?: true;
  /** The store may forget terms that it had acknowledged. */
  readonly losesTerms?: true;
  /** Done before, while everything works. */
  prepare?(scene: Preparation): Promise<void>;
  inflict(scene: Scene): Promise<EndOfFault>;
}

const cutOff = async ({ target }: Scene): Promise<EndOfFault> => {
  target.proxy?.set('cut');
  return () => target.proxy?.set('pass');
};

/** Cuts the target off, so that a leader among them learns nothing of what happens to the store, and goes on. */
export const whileCutOff =
  (damage: (scene: Scene) => Promise<void>): Fault['inflict'] =>
  async (scene) => {
    const connect = await cutOff(scene);
    await damage(scene);
    return connect;
  };

const CLOCK_STEP_MS = 600_000;

/** The clock of the store is set back or forward. */
export const clockSteps = (setBack: (scene: Scene, stepMs: number) => Promise<void>): readonly Fault[] => [
  {
    kind: 'clock of the store set back',
    async inflict(scene) {
      scene.target.signal('SIGSTOP');
      await setBack(scene, CLOCK_STEP_MS);
      return () => scene.target.signal('SIGCONT');
    },
  },
  {
    kind: 'clock of the store set forward',
    allowsTwoLeaders: true,
    inflict: whileCutOff((scene) => setBack(scene, -CLOCK_STEP_MS)),
  },
];

export const CANDIDATE_FAULTS: readonly Fault[] = [
  {
    kind: 'kill -9',
    async inflict({ target }) {
      await target.kill();
      target.start();
    },
  },
  {
    kind: 'stopped',
    async inflict({ target }) {
      target.signal('SIGSTOP');
      return () => target.signal('SIGCONT');
    },
  },
  {
    kind: 'blocked',
    async inflict({ target, ttlMs }) {
      target.send({ blockMs: 2 * ttlMs });
      return () => undefined;
    },
  },
  {
    // And later forward again. Not the other way round: on SQLite, tokens would be ahead of the clock of the others.
    kind: 'clock of a candidate set back',
    async inflict({ target, ttlMs }) {
      target.send({ stepMs: -3 * ttlMs });
      return () => target.send({ stepMs: 3 * ttlMs });
    },
  },
  {
    kind: 'evicted',
    async inflict({ store, name }) {
      await insist(() => store.evict(name));
      return () => undefined;
    },
  },
  {
    kind: 'transferred',
    async inflict({ store, name, target, onTransfer }) {
      const waiting = (await insist(() => store.candidates(name))).map(({ id }) => id);
      const to = waiting.find((id) => id === target.id) ?? waiting[0];
      if (to !== undefined && (await insist(() => store.requestTransfer(name, to))) === 'requested')
        onTransfer(to);
      return () => undefined;
    },
  },
];

export const SERVER_FAULTS: readonly Fault[] = [
  { kind: 'cut off', inflict: cutOff },
  {
    kind: 'half-open',
    async inflict({ target }) {
      target.proxy!.set('blackhole');
      return () => target.proxy!.set('pass');
    },
  },
  {
    kind: 'store stopped',
    async inflict({ server }) {
      server!.pause();
      return () => server!.resume();
    },
  },
];

/** The operator repeats a call that a busy machine has not answered in time. Each of its calls may take effect twice. */
export async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === MAX_TRIES || !(error instanceof StoreError) || isPermanent(error.kind)) throw error;
    }
  }
}

/** Another term, which a copy that was taken before does not have. */
export async function anotherTerm({ store, name, ttlMs }: Preparation): Promise<void> {
  await insist(() => store.evict(name));
  await sleep(ttlMs);
}

export async function restart({ server, ttlMs }: Scene, whileDown?: () => void): Promise<void> {
  await server!.kill9();
  whileDown?.();
  await sleep(ttlMs / 2);
  await server!.restart();
}

/** A server that does not notice it goes on with an older copy of its folder `data`. */
export const OLDER_DATA: Fault = {
  kind: 'an older copy restored',
  losesTerms: true,
  allowsTwoLeaders: true,
  async prepare(scene) {
    await copyData({ server: scene.server!, folder: scene.folder });
    await anotherTerm(scene);
  },
  inflict: whileCutOff(({ server, folder }) => restoreData({ server: server!, folder })),
};

/** Does `act` again and again, and evicts the leader meanwhile: its successor has to find out without a notification. */
export async function withoutNotifications(
  { store, name, ttlMs }: Scene,
  act: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  let isOver = false;
  const acting = (async () => {
    while (!isOver) {
      await act();
      await sleep(50);
    }
  })();
  // `stop` reports it.
  acting.catch(() => undefined);
  const stop = async (): Promise<void> => {
    isOver = true;
    await acting;
  };
  try {
    await sleep(ttlMs / 4);
    await insist(() => store.evict(name));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
