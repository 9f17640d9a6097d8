/** A member says when its own certificate ends, and names the address of a peer that it refuses. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { bully } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, startNode } from '../../src/host/cluster-node.ts';
import { nodeMetrics } from '../../src/host/node-metrics.ts';
import { readCertificates, writeTestCertificates } from '../../src/init/cluster-files.ts';
import { localMembers } from '../wire/wire-cluster.ts';

let folder = '';
let node: ClusterNode | null = null;
let starts = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hustings-certificates-'));
  const named = { subjectAltName: 'URI:hustings://demo/1' };
  const all = [
    { name: 'expired', days: -1, ...named },
    { name: 'short', days: 5, ...named },
    { name: 'long', days: 30, ...named },
  ];
  await writeTestCertificates(folder, all);
});
afterEach(() => node?.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(name: string): Promise<string[]> {
  const said: string[] = [];
  node = await startNode({
    ...{
      members: await localMembers(1),
      id: 1,
      algorithm: bully,
      folder: join(folder, `of-${name}-${++starts}`),
    },
    security: await readCertificates(folder, name),
    onEvent(event) {
      if (event.type === 'warning') said.push(event.text);
      if (event.type === 'wire' && event.event.type === 'refused') said.push(event.event.address);
    },
  });
  return said;
}

it('a member does not start with a certificate that has ended, and leaves no folder', async () => {
  const date = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
  await expect(start('expired')).rejects.toThrow(
    new RegExp(
      `^the certificate of member 1 ended at ${date}: give the member another one, and start it again$`,
    ),
  );
  expect(existsSync(join(folder, `of-expired-${starts}`))).toBe(false);
});

it('a certificate that ends within 14 days is a warning at the start; the metric has the time', async () => {
  expect(await start('short')).toEqual([expect.stringMatching(/^the certificate of member 1 ends at /)]);
  const status = (node as ClusterNode).status;
  const seconds = Number(/certificate_expiry_seconds\{.*\} (\d+)/.exec(nodeMetrics(status))?.[1]);
  expect(Math.abs(seconds - Date.now() / 1_000 - 5 * 86_400)).toBeLessThan(3_600);
  await node?.close();
  expect(await start('long')).toEqual([]);
});

it('a peer that closes before it is secure is named by its address', async () => {
  const said = await start('long');
  const [, port] = (node as ClusterNode).list.members[0].address.split(':');
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const address = `127.0.0.1:${socket.localPort}`;
  socket.end();
  await expect.poll(() => said, { timeout: 30_000 }).toEqual([address]);
});
