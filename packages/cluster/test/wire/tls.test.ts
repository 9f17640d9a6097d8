import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberCertificate, readCertificates, writeTestCertificates } from '../../src/init/cluster-files.ts';
import { parseAddress } from '../../src/member-list/address.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { certifiedId } from '../../src/wire/certificate-identity.ts';
import type { WirePolicy } from '../../src/wire/policy.ts';
import type { ClusterSecurity } from '../../src/wire/security.ts';
import { tlsErrorText } from '../../src/wire/tls-error.ts';
import { bytesOf, session as hello } from './session-pair.ts';
import { connected, localMembers, message, startMember, type WireMember } from './wire-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'hustings-tls-'));
const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await writeTestCertificates(ours, [
    ...[1, 2, 3, 9].map((id) => memberCertificate('demo', id)),
    { name: 'expired', subjectAltName: 'URI:hustings://demo/1', days: -1 },
    { name: 'nameless', subjectAltName: null },
    { name: 'host', subjectAltName: 'DNS:member-1.example.org' },
    { name: 'other-cluster', subjectAltName: 'URI:hustings://other/1' },
  ]);
  await writeTestCertificates(theirs, [memberCertificate('demo', 1)]);
});

/** With the authority of the cluster, which an attacker may know. */
async function stolen(from: string, name: string): Promise<ClusterSecurity> {
  const [right, wrong] = [await readCertificates(ours, 'member-2'), await readCertificates(from, name)];
  return right.type === 'tls' && wrong.type === 'tls' ? { ...wrong, ca: right.ca } : right;
}

const listen = async (members: MemberList, policy: Partial<WirePolicy> = {}): Promise<WireMember> =>
  startMember(members, 2, { security: await readCertificates(ours, 'member-2'), policy });

const OPEN: Partial<WirePolicy> = {
  requiresCertificate: false,
  isCertified: () => true,
  isMember: () => true,
};

describe('with certificates', () => {
  it('the key of another member, or one with a passphrase, is refused at the start', async () => {
    const members = await localMembers(2);
    const [own, other] = await Promise.all(
      ['member-1', 'member-2'].map((name) => readCertificates(ours, name)),
    );
    if (own.type !== 'tls' || other.type !== 'tls') throw new Error('no certificates');
    await expect(startMember(members, 1, { security: { ...own, key: other.key } })).rejects.toThrow(
      /^key must be that of the certificate, and is another one$/,
    );
    const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' } as const;
    const locked = createPrivateKey(own.key).export(options).toString();
    await expect(startMember(members, 1, { security: { ...own, key: locked } })).rejects.toThrow(
      /^key must be a private key without a passphrase in PEM, and cannot be read: /,
    );
  });

  it('members connect, and frames arrive', async () => {
    const members = await localMembers(3);
    const started: WireMember[] = [];
    for (const id of [1, 2, 3]) {
      started.push(
        await startMember(members, id, { security: await readCertificates(ours, `member-${id}`) }),
      );
    }
    await connected(...started);
    started[0].transport.send(3, message('hi'));
    started[2].transport.send(1, message('ho'));
    await expect.poll(() => started[2].frames.get(1)).toEqual(['hi']);
    await expect.poll(() => started[0].frames.get(3)).toEqual(['ho']);
  });

  it.each([
    ['of another authority', theirs, 'member-1', 'certificate'],
    ['that has expired', ours, 'expired', 'certificate'],
    ['without a name', ours, 'nameless', 'identity'],
    ['with a host name only', ours, 'host', 'identity'],
    ['of another cluster', ours, 'other-cluster', 'identity'],
    ['of another member', ours, 'member-3', 'identity'],
  ])(
    'a peer with a certificate %s is refused, unless that check is taken out',
    async (_, from, name, reason) => {
      const members = await localMembers(3);
      const security = await stolen(from, name);
      const strict = await listen(members);
      const attacker = await startMember(members, 1, { security });
      await expect.poll(() => strict.refusals()).toContain(reason);
      expect(strict.transport.connected).toEqual([]);
      await Promise.all([strict, attacker].map(({ transport }) => transport.close()));
      const lax = await listen(members, OPEN);
      await connected(lax, await startMember(members, 1, { security, policy: OPEN }));
    },
  );

  it('a peer without a certificate is refused before a byte is parsed, unless that check is taken out', async () => {
    const members = await localMembers(2);
    const security = await readCertificates(ours, 'member-2');
    const { host, port } = parseAddress(members.members[1].address);
    /** Whether the listener answers the hello. */
    const attack = (): Promise<boolean> =>
      new Promise((resolve) => {
        const ca = security.type === 'tls' ? security.ca : '';
        const socket = connect({ host, port, ca, checkServerIdentity: () => undefined });
        const end = (isAnswered: boolean): void => {
          socket.destroy();
          resolve(isAnswered);
        };
        socket.once('secureConnect', () => socket.write(bytesOf(hello('dialler', { secret: null }).start())));
        socket.once('data', () => end(true));
        socket.once('error', () => end(false));
        socket.once('close', () => end(false));
      });
    const strict = await listen(members);
    expect(await attack()).toBe(false);
    await expect.poll(() => strict.refusals()).toEqual(['certificate']);
    await strict.transport.close();
    await listen(members, OPEN);
    expect(await attack()).toBe(true);
  });

  it('a ticket of an earlier connection lets nobody in without a certificate, unless that check is taken out', async () => {
    const members = await localMembers(2);
    const own = await readCertificates(ours, 'member-1');
    if (own.type !== 'tls') throw new Error('no certificate');
    const { host, port } = parseAddress(members.members[1].address);
    /** A connection with what is given; whether the listener answers the hello, and the ticket that it sent. */
    const visit = (given: object): Promise<{ isAnswered: boolean; session: Buffer | undefined }> =>
      new Promise((resolve) => {
        let session: Buffer | undefined;
        const socket = connect({ host, port, ca: own.ca, checkServerIdentity: () => undefined, ...given });
        socket.on('session', (ticket) => {
          session = ticket;
        });
        const end = (isAnswered: boolean): void => {
          socket.destroy();
          resolve({ isAnswered, session });
        };
        socket.once('secureConnect', () => socket.write(bytesOf(hello('dialler', { secret: null }).start())));
        socket.once('data', () => end(true));
        socket.once('error', () => end(false));
        socket.once('close', () => end(false));
      });
    const withTicket = async (): Promise<boolean> => {
      const { session } = await visit({ cert: own.certificate, key: own.key });
      return (await visit({ session })).isAnswered;
    };
    const strict = await listen(members);
    expect(await withTicket()).toBe(false);
    await strict.transport.close();
    await listen(members, { issuesTickets: true });
    expect(await withTicket()).toBe(true);
  });

  it('a dialler tells nothing to a host with the certificate of another member or authority', async () => {
    const members = await localMembers(2);
    const impostors = [await stolen(ours, 'member-9'), await stolen(theirs, 'member-1')];
    for (const security of impostors) {
      const impostor = await startMember(members, 2, { security, policy: OPEN });
      const one = await startMember(members, 1, { security: await readCertificates(ours, 'member-1') });
      await expect.poll(() => one.events.length).toBeGreaterThan(0);
      expect(one.events[0]).toMatchObject(
        security === impostors[0]
          ? {
              type: 'refused',
              reason: 'identity',
              text: 'the certificate must name member 2, and it names member 9',
            }
          : {
              type: 'refused',
              reason: 'certificate',
              text: expect.stringMatching(/^its certificate is refused: /),
            },
      );
      expect(impostor.events.filter(({ type }) => type === 'connected')).toEqual([]);
      await Promise.all([one, impostor].map(({ transport }) => transport.close()));
    }
  });
});

describe('the name in a certificate', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['URI:hustings://demo/7', 7],
    ['DNS:a, URI:https://x/, URI:hustings://demo/0, IP Address:1.2.3.4', 0],
    ['URI:hustings://demo/7, URI:hustings://demo/8', null],
    ['URI:hustings://demo/7, URI:hustings://other/7', null],
    ['URI:hustings://other/7', null],
    ['URI:hustings://demo/07', null],
    ['URI:hustings://demo/-1', null],
    ['URI:hustings://demo/7/8', null],
    ['DNS:hustings://demo/7', null],
    // One entry, whose name imitates another.
    ['DNS:"a, URI:hustings://demo/9, b"', null],
  ])('%j names member %j', (names, id) => {
    expect(certifiedId(names, 'demo')).toBe(id);
  });
});

it('a peer that does not speak TLS is named as such', () => {
  const error = Object.assign(new Error('C0:error:0A00010B'), { reason: 'wrong version number' });
  expect(tlsErrorText(error, {} as TLSSocket)).toBe(
    'the peer does not speak TLS, and this member does; give all members the same security',
  );
});
