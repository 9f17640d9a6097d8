/** A renewal written by hand on the stores of documents: one compare-and-set of a value under its revision. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent, request } from 'node:https';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { ZookeeperClient } from 'hustings/internal/lease/stores/zookeeper/zookeeper-client';
import { zookeeperSettings } from 'hustings/internal/lease/stores/zookeeper/zookeeper-settings';
import type { BareCalls } from './lease-bare.ts';

const TTL_MS = 60_000;

interface Reply {
  readonly status: number;
  readonly body: {
    readonly succeeded?: boolean;
    readonly header?: { readonly revision: string };
    readonly metadata?: object;
    readonly spec?: object;
  };
}

/** Requests with JSON on one connection that stays open. */
function sender(to: { protocol: string; port: number; ca?: string; authorization?: string }) {
  const agent =
    to.protocol === 'https:' ? new Agent({ keepAlive: true, ca: to.ca }) : new HttpAgent({ keepAlive: true });
  const send = (method: string, path: string, body: object): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(to.authorization === undefined ? {} : { authorization: to.authorization }),
      };
      const options = { agent, host: '127.0.0.1', port: to.port, method, path, headers };
      const sent = (to.protocol === 'https:' ? request : requestHttp)(options, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => {
          resolve({
            status: answer.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(pieces).toString('utf8')),
          });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return Object.assign(send, { close: async () => agent.destroy() });
}

/** As the stores write it: a record of this length, with a time that changes. */
const recordOf = (call: number): string =>
  JSON.stringify({ nonce: 'n', token: 1, ttlMs: TTL_MS, renewal: call });

/** A transaction that puts the record if nobody else has written it since, and if the key of the holder has its nonce. */
export async function bareEtcd(url: string): Promise<BareCalls> {
  const send = sender({ protocol: 'http:', port: Number(new URL(url).port) });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const key = base64('bare');
  const put = (call: number) => ({ request_put: { key, value: base64(recordOf(call)) } });
  const holder = base64('bare-holder');
  const value = base64('n');
  const { body } = await send('POST', '/v3/kv/txn', {
    success: [put(0), { request_put: { key: holder, value } }],
  });
  let revision = body.header?.revision;
  return {
    async renew() {
      const compare = [
        { key, target: 'MOD', mod_revision: revision },
        { key: holder, target: 'VALUE', value },
      ];
      const { body: answer } = await send('POST', '/v3/kv/txn', { compare, success: [put(calls++)] });
      revision = answer.header?.revision;
      return answer.succeeded === true;
    },
    close: send.close,
  };
}

export async function bareNats(url: string): Promise<BareCalls> {
  const connection = await connect({ servers: url });
  const bucket = await new Kvm(connection).create('bare');
  let revision = await bucket.create('x', recordOf(0));
  return {
    async renew() {
      revision = await bucket.update('x', recordOf(calls++), revision);
      return true;
    },
    close: () => connection.close(),
  };
}

/** By the store's own client: a document under its version, and a check of the node that proves the session of the holder. */
export async function bareZookeeper(url: string): Promise<BareCalls> {
  const client = new ZookeeperClient(zookeeperSettings(url));
  const { requests } = client;
  const path = await client.ask(requests.create('/bare', 0));
  const holder = await client.ask(requests.create('/bare-holder', 1));
  const check = { type: 'check', path: holder, version: -1 } as const;
  let version = 0;
  return {
    async renew() {
      const set = { type: 'set', path, data: recordOf(calls++), version: version++ } as const;
      await client.ask(requests.transaction([set, check]));
      return true;
    },
    close: () => client.close(true),
  };
}

/** One update of a Lease object under its resourceVersion, on a connection that stays open. */
export async function bareKubernetes({
  port,
  ca,
}: {
  readonly port: number;
  readonly ca: string;
}): Promise<BareCalls> {
  const send = sender({ protocol: 'https:', port, ca, authorization: 'Bearer admin-token' });
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const spec = { holderIdentity: 'n', leaseDurationSeconds: TTL_MS / 1_000 };
  let { body: lease } = await send('POST', leases, { metadata: { name: 'bare' }, spec });
  return {
    async renew() {
      const renewTime = new Date().toISOString().replace('Z', `${String(calls++ % 1_000).padStart(3, '0')}Z`);
      const changed = { ...lease, spec: { ...lease.spec, renewTime } };
      const { status, body } = await send('PUT', `${leases}/bare`, changed);
      lease = body;
      return status === 200;
    },
    close: send.close,
  };
}

let calls = 0;
