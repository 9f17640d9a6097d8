import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startTcpProxy } from '../../../../test-kit/servers/index.ts';
import { PROCESS_CLOCK } from '../../src/wire/connection.ts';
import type { ClusterSecurity } from '../../src/wire/security.ts';
import { connected, localMembers, message, SECURITY, startMember, stopMember } from './wire-cluster.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('a transport', () => {
  it('delivers what was sent before, during and after the first connection, in order, with one connection per pair', async () => {
    const members = await localMembers(3);
    const [one, two] = [await startMember(members, 1), await startMember(members, 2)];
    for (const n of range(0, 300)) one.transport.send(3, message(n));
    const three = await startMember(members, 3);
    await connected(one, two, three);
    for (const n of range(300, 600)) one.transport.send(3, message(n));
    for (const n of range(0, 600)) three.transport.send(1, message(n));
    await expect.poll(() => three.frames.get(1)).toEqual(range(0, 600));
    await expect.poll(() => one.frames.get(3)).toEqual(range(0, 600));
    expect(two.frames.get(1)).toEqual([]);
    for (const member of [one, two, three]) {
      expect(member.events.filter(({ type }) => type === 'connected')).toHaveLength(2);
    }
  });

  it('is dialled as soon as it is up, because it announces itself to those that wait before they dial again', async () => {
    const members = await localMembers(2);
    const waits: number[] = [];
    // After three attempts the next one is years away.
    const after: typeof PROCESS_CLOCK.after = (ms, act) => {
      waits.push(ms);
      return PROCESS_CLOCK.after(ms > 100 ? 2 ** 30 : ms, act);
    };
    const one = await startMember(members, 1, { clock: { ...PROCESS_CLOCK, after }, heartbeatMs: 50 });
    await expect.poll(() => waits.some((ms) => ms > 100 && ms <= 200)).toBe(true);
    const two = await startMember(members, 2);
    await connected(one, two);
    expect([...one.refusals(), ...two.refusals()]).toEqual([]);
  });

  it('sends heartbeats while nothing else is sent', async () => {
    const members = await localMembers(2);
    const [one, two] = [await startMember(members, 1), await startMember(members, 2)];
    await connected(one, two);
    const [a, b] = [one.signsOfLife, two.signsOfLife];
    await expect.poll(() => Math.min(one.signsOfLife - a, two.signsOfLife - b)).toBeGreaterThan(3);
  });

  it('counts the frames and bytes that it sends and receives', async () => {
    const members = await localMembers(2);
    const options = { heartbeatMs: 20_000 };
    const [one, two] = [await startMember(members, 1, options), await startMember(members, 2, options)];
    await connected(one, two);
    const [sent, received] = [one.transport.traffic, two.transport.traffic];
    for (const n of range(0, 10)) one.transport.send(2, message(n));
    await expect.poll(() => two.frames.get(1)).toEqual(range(0, 10));
    expect(one.transport.traffic.framesSent - sent.framesSent).toBe(10);
    expect(two.transport.traffic.framesReceived - received.framesReceived).toBe(10);
    expect(two.transport.traffic.bytesReceived).toBe(one.transport.traffic.bytesSent);
    expect(one.transport.traffic.bytesReceived).toBe(two.transport.traffic.bytesSent);
  });

  it('loses and repeats nothing while a proxy cuts the connection again and again', async () => {
    const members = await localMembers(2);
    const two = await startMember(members, 2);
    const proxy = await startTcpProxy(Number(members.members[1].address.split(':')[1]));
    try {
      const throughProxy = {
        ...members,
        version: 2,
        members: [members.members[0], { id: 2, address: `127.0.0.1:${proxy.port}` }],
      };
      const one = await startMember(throughProxy, 1);
      let n = 0;
      for (let cut = 0; cut < 8; cut++) {
        await connected(one, two);
        for (let burst = 0; burst < 50; burst++) {
          one.transport.send(2, message(n));
          two.transport.send(1, message(n++));
        }
        proxy.set('cut');
        await expect.poll(() => one.transport.connected).toEqual([]);
        proxy.set('pass');
      }
      await expect.poll(() => one.frames.get(2), { timeout: 30_000 }).toEqual(range(0, n));
      await expect.poll(() => two.frames.get(1), { timeout: 30_000 }).toEqual(range(0, n));
      expect([...one.resets, ...two.resets]).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('opens a connection again on which nothing arrives, though it is not closed', async () => {
    const members = await localMembers(2);
    const two = await startMember(members, 2, { silenceMs: 500 });
    const proxy = await startTcpProxy(Number(members.members[1].address.split(':')[1]));
    try {
      const list = [members.members[0], { id: 2, address: `127.0.0.1:${proxy.port}` }];
      const policy = { handshakeTimeoutMs: 500 };
      const one = await startMember({ ...members, version: 2, members: list }, 1, { silenceMs: 500, policy });
      await connected(one, two);
      proxy.set('blackhole');
      one.transport.send(2, message(1));
      await expect.poll(() => one.transport.connected).toEqual([]);
      expect(one.refusals()).toContain('timeout');
      proxy.set('pass');
      await expect.poll(() => two.frames.get(1), { timeout: 30_000 }).toEqual([1]);
    } finally {
      await proxy.close();
    }
  });

  it('reports a new incarnation of a peer, with what the old one had not acknowledged', async () => {
    const members = await localMembers(2);
    const one = await startMember(members, 1);
    let two = await startMember(members, 2);
    await connected(one, two);
    await stopMember(two);
    await expect.poll(() => one.transport.connected).toEqual([]);
    one.transport.send(2, message('lost'));
    two = await startMember(members, 2);
    await connected(one, two);
    expect(one.resets).toEqual([[2, [message('lost')]]]);
    one.transport.send(2, message('new'));
    await expect.poll(() => two.frames.get(1)).toEqual(['new']);
    expect(two.resets).toEqual([]);
  });

  it('resets a link on request, and one whose queue is full, before the call returns', async () => {
    const members = await localMembers(2);
    const one = await startMember(members, 1);
    one.transport.send(2, message(0));
    one.transport.reset(2);
    expect(one.resets).toEqual([[2, [message(0)]]]);
    for (const n of range(0, 1_001)) one.transport.send(2, message(n));
    expect(one.resets[1][1].map(({ n }) => n)).toEqual(range(0, 1_001));
    one.transport.send(2, message('after'));
    const two = await startMember(members, 2);
    await expect.poll(() => two.frames.get(1)).toEqual(['after']);
  });

  it('delivers the last frame that is sent before it closes', async () => {
    const members = await localMembers(2);
    const [one, two] = [await startMember(members, 1), await startMember(members, 2)];
    await connected(one, two);
    one.transport.send(2, { type: 'members', n: 'bye' });
    await stopMember(one);
    await expect.poll(() => two.frames.get(1)).toEqual(['bye']);
  });

  it('takes another member list while it runs, and keeps a member that must be told of it', async () => {
    const members = await localMembers(3);
    const fewer = { ...members, members: members.members.slice(0, 2) };
    const [one, two] = [await startMember(fewer, 1), await startMember(fewer, 2)];
    await connected(one, two);
    const three = await startMember({ ...members, version: 2 }, 3);
    await expect.poll(() => three.events.length + one.events.length).toBeGreaterThan(0);
    for (const { transport } of [one, two]) transport.useMembers({ ...members, version: 2 });
    await connected(one, two, three);
    const last = { ...members, version: 3, members: members.members.slice(1) };
    two.transport.useMembers(last, members.members.slice(0, 1));
    two.transport.send(1, { type: 'members', n: 'removed' });
    await expect.poll(() => one.frames.get(2)).toEqual(['removed']);
    two.transport.useMembers(last);
    await expect.poll(() => two.transport.connected).toEqual([3]);
    await expect.poll(() => two.refusals()).toContain('member');
  });

  it('heals a cut to all peers that are left, if one has left the member list meanwhile', async () => {
    const members = await localMembers(3);
    const [one, two] = [await startMember(members, 1), await startMember(members, 2)];
    const three = await startMember(members, 3);
    await connected(one, two, three);
    one.transport.cut([2, 3]);
    await expect.poll(() => one.transport.connected).toEqual([]);
    one.transport.useMembers({ ...members, version: 2, members: [members.members[0], members.members[2]] });
    one.transport.cut([]);
    await expect.poll(() => one.transport.connected, { timeout: 30_000 }).toEqual([3]);
    // One that is no peer changes nothing.
    expect(() => one.transport.cut([3, 2])).toThrow('the peer must be another member of the cluster, not 2');
    expect(one.transport.connected).toEqual([3]);
  });

  it('invites a process that is no member, whichever side dials, and reaches it only where it listens', async () => {
    const members = await localMembers(4);
    const [smaller, second, larger, unused] = members.members;
    const two = await startMember({ ...members, members: [second] }, 2);
    for (const { address, id } of [smaller, larger]) {
      const candidate = await startMember(members, id, { isFromFile: false });
      const reached = (at: string): boolean => {
        two.transport.invite({ id, address: at });
        return two.transport.reaches(id);
      };
      // The smaller id dials by itself, wherever it listens.
      const isThere = (): boolean => id === 3 || two.transport.connected.includes(1);
      for (let asked = 0; asked < 10 || !isThere(); asked++) {
        expect(reached(unused.address)).toBe(false);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // It comes back to a link whose numbers both know.
      for (const sent of [['first'], ['first', 'second']]) {
        await expect.poll(() => reached(address), { timeout: 30_000 }).toBe(true);
        two.transport.send(id, message(sent.at(-1)));
        await expect.poll(() => candidate.frames.get(2)).toEqual(sent);
        two.transport.invite(null);
        expect([two.transport.connected, two.transport.reaches(id)]).toEqual([[], false]);
      }
      expect(two.refusals()).not.toContain('sequence');
    }
  });

  it('refuses frames that are too long, and peers that do not exist', async () => {
    const members = await localMembers(2);
    const one = await startMember(members, 1);
    expect(() => one.transport.send(2, message('x'.repeat(65_536)))).toThrow('must have at most 65536 bytes');
    expect(() => one.transport.send(9, message(1))).toThrow('another member of the cluster, not 9');
    expect(() => one.transport.send(1, message(1))).toThrow('another member of the cluster, not 1');
  });
});

describe('one clear error, and the others go on, with', () => {
  it('an address in use', async () => {
    const members = await localMembers(2);
    await startMember(members, 1);
    await expect(startMember(members, 1)).rejects.toThrow(
      `member 1 cannot listen: ${members.members[0].address} is in use; stop the process that listens there`,
    );
  });

  it('an id that runs twice: the newer process stays, and the older one is told', async () => {
    const members = await localMembers(3);
    const [older, three] = [await startMember(members, 1), await startMember(members, 3)];
    await connected(older, three);
    const newer = await startMember(members, 1, { listen: '127.0.0.1:0' });
    await connected(newer, three);
    await expect
      .poll(() => older.events, { timeout: 30_000 })
      .toContainEqual({
        type: 'refused-by-peer',
        peer: 3,
        text: 'a newer process runs as member 1; stop one of the two',
      });
    three.transport.send(1, message('hello'));
    await expect.poll(() => newer.frames.get(3)).toEqual(['hello']);
  });

  it('an id that runs twice: the older process is back when the newer one has gone for a while, and only then', async () => {
    const members = await localMembers(3);
    let passedMs = 0;
    const clock = { ...PROCESS_CLOCK, nowMs: () => PROCESS_CLOCK.nowMs() + passedMs };
    const [older, three] = [await startMember(members, 1), await startMember(members, 3, { clock })];
    await connected(older, three);
    older.transport.send(3, message(1));
    const newer = await startMember(members, 1, { listen: '127.0.0.1:0' });
    await connected(newer, three);
    const refusals = (): number => older.events.filter(({ type }) => type === 'refused-by-peer').length;
    const refusedAgain = async (times: number): Promise<void> => {
      const before = refusals();
      await expect.poll(refusals, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + times);
      expect(older.transport.connected).toEqual([]);
    };
    await refusedAgain(1);
    newer.transport.cut([3]);
    await expect.poll(() => three.transport.connected).toEqual([]);
    three.transport.send(1, message('for the newer one'));
    // A short break of the newer one: the first refusal may be of before.
    await refusedAgain(2);
    passedMs += 60_000;
    await connected(older, three);
    three.transport.send(1, message('for the older one'));
    older.transport.send(3, message(2));
    await expect.poll(() => older.frames.get(3)).toEqual(['for the older one']);
    await expect.poll(() => three.frames.get(1)).toEqual([1, 2]);
    expect(three.resets).toEqual([
      [1, []],
      [1, [message('for the newer one')]],
    ]);
    // It wins as long as it lives.
    newer.transport.cut([]);
    await connected(newer, three);
    await refusedAgain(1);
    expect(newer.transport.connected).toEqual([3]);
    await stopMember(newer);
    await expect.poll(() => three.transport.connected).toEqual([]);
    passedMs += 60_000;
    await connected(older, three);
  });

  it('another cluster at the address of a member', async () => {
    const members = await localMembers(2);
    const one = await startMember(members, 1);
    await startMember({ ...members, cluster: 'other' }, 2);
    await expect
      .poll(() => one.events)
      .toContainEqual(
        expect.objectContaining({
          type: 'refused-by-peer',
          text: expect.stringContaining('another cluster'),
        }),
      );
    expect(one.transport.connected).toEqual([]);
  });

  it('different lists of one version', async () => {
    const members = await localMembers(2);
    const one = await startMember(members, 1);
    const others = [{ id: 1, address: '127.0.0.1:1' }, members.members[1]];
    const two = await startMember({ ...members, members: others }, 2);
    await expect.poll(() => [...one.refusals(), ...two.refusals()]).toContain('members');
    expect(one.transport.connected).toEqual([]);
  });

  it('another secret, of which nothing is shown anywhere', async () => {
    const members = await localMembers(2);
    const secret = 'the one secret that nobody may see anywhere';
    const one = await startMember(members, 1, { security: { type: 'secret', secret } });
    const two = await startMember(members, 2);
    await expect.poll(() => two.refusals()).toContain('mac');
    const shown = inspect([one.transport, one.events, two.events], { depth: 20, showHidden: true });
    expect(shown).not.toContain(secret);
    expect(JSON.stringify(one.transport)).not.toContain(secret);
  });
});

describe('listening beyond loopback', () => {
  const start = (host: string, security: ClusterSecurity) => {
    const members = { cluster: 'demo', version: 1, members: [{ id: 1, address: `${host}:7001` }] };
    return startMember(members, 1, { security, listen: host === 'localhost' ? undefined : `${host}:0` });
  };

  it.each(['0.0.0.0', '[::]', 'example.org'])(
    'is refused on %s with neither TLS nor a secret',
    async (host) => {
      await expect(start(host, { type: 'none' })).rejects.toThrow(
        /must listen on loopback, not on .*; give certificates/,
      );
    },
  );

  it('needs to be asked for', async () => {
    await start('0.0.0.0', { type: 'none', insecure: true });
    await start('0.0.0.0', SECURITY);
  });

  it.each(['127.0.0.1', '127.8.8.8'])('is not what %s is', async (host) => {
    await start(host, { type: 'none' });
  });

  it.each<[string, ClusterSecurity]>([
    ['an empty secret', { type: 'secret', secret: '' }],
    ['a short secret', { type: 'secret', secret: 'x'.repeat(31) }],
    ['no secret', { type: 'secret', secret: undefined as unknown as string }],
    ['no certificate', { type: 'tls', ca: 'x', certificate: '', key: 'x' }],
    ['no authority', { type: 'tls', ca: '', certificate: 'x', key: 'x' }],
    ['an authority that is none', { type: 'tls', ca: 'x', certificate: 'x', key: 'x' }],
    [
      'a type in capitals',
      { type: 'TLS', ca: 'x', certificate: 'x', key: 'x' } as unknown as ClusterSecurity,
    ],
    ['a text', 'secret' as unknown as ClusterSecurity],
    ['nothing', {} as ClusterSecurity],
    ['null', null as unknown as ClusterSecurity],
  ])('with %s is denied, not skipped', async (_, security) => {
    await expect(start('0.0.0.0', security)).rejects.toThrow(
      /must (have at least 32 bytes|be the text of a PEM file|be a certificate in PEM|be an object whose type is)/,
    );
  });
});
