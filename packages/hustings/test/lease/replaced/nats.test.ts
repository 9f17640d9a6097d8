import { type KV, Kvm } from '@nats-io/kv';
import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { copyData, restoreData } from '../../../../../test-kit/servers/data-copy.ts';
import { describeWith, startNats, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

/** A backup as `nats stream backup` stores it. */
interface Backup {
  readonly config: object;
  readonly state: object;
  readonly chunks: readonly Uint8Array[];
}

const backups = new WeakMap<TestServer, Backup>();

async function onConnection(
  { server }: Scene,
  act: (connection: NatsConnection) => Promise<unknown>,
): Promise<void> {
  const connection = await connect({ servers: server.url });
  try {
    await act(connection);
  } finally {
    await connection.close();
  }
}

const inBucket = (scene: Scene, act: (bucket: KV) => Promise<unknown>): Promise<void> =>
  onConnection(scene, async (connection) => act(await new Kvm(connection).open('hustings')));

async function ask<Answer>(connection: NatsConnection, call: string, body: object = {}): Promise<Answer> {
  const answer = await connection.request(`$JS.API.STREAM.${call}.KV_hustings`, JSON.stringify(body));
  const { error, ...rest } = answer.json<Answer & { error?: object }>();
  expect(error).toBeUndefined();
  return rest as Answer;
}

const backUp = (scene: Scene): Promise<void> =>
  onConnection(scene, async (connection) => {
    const subject = createInbox();
    const chunks: Uint8Array[] = [];
    const received = (async () => {
      for await (const message of connection.subscribe(subject)) {
        if (message.data.length === 0) return;
        chunks.push(message.data);
        message.respond();
      }
    })();
    const stream = await ask<Omit<Backup, 'chunks'>>(connection, 'SNAPSHOT', { deliver_subject: subject });
    await received;
    backups.set(scene.server, { ...stream, chunks });
  });

const restore = (scene: Scene): Promise<void> =>
  onConnection(scene, async (connection) => {
    const { chunks, config, state } = backups.get(scene.server)!;
    await ask(connection, 'DELETE');
    const { deliver_subject } = await ask<{ deliver_subject: string }>(connection, 'RESTORE', {
      config,
      state,
    });
    for (const chunk of [...chunks, new Uint8Array()]) await connection.request(deliver_subject, chunk);
  });

await describeWith('nats-server', 'a NATS store that was replaced', () => {
  replacedStore('NATS', {
    start: () => startNats(),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'the bucket is deleted': { replace: (scene) => inBucket(scene, (bucket) => bucket.destroy()) },
      'an older copy of the data is restored': { backUp: copyData, replace: restoreData },
      'an older copy of the bucket is restored (`nats stream restore`)': { backUp, replace: restore },
      'the key of one election is deleted': {
        replace: (scene) =>
          inBucket(scene, async (bucket) => {
            for await (const key of await bucket.keys('election.>')) await bucket.delete(key);
          }),
      },
    },
  });
});
