import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ClusterSettings } from '../../src/wire/cluster-settings.ts';
import { encodeFrame, HEAD_BYTES } from '../../src/wire/frame-codec.ts';
import { MAC_BYTES } from '../../src/wire/frame-mac.ts';
import { STRICT, type WirePolicy } from '../../src/wire/policy.ts';
import type { Session } from '../../src/wire/session.ts';
import { bytesOf, converse, data, hex, kindsOf, session, without } from './session-pair.ts';

const isProved = (effects: readonly { type: string }[]): boolean =>
  effects.some(({ type }) => type === 'proved');

describe('the handshake', () => {
  it.each(['with a secret', 'without a secret'])('proves both sides to each other %s', (mode) => {
    const options = mode === 'with a secret' ? {} : { secret: null };
    const [one, other] = [session('dialler', options), session('listener', options)];
    const seen = converse(one, other);
    expect(kindsOf(seen.dialler)).toEqual(['send', 'send', 'proved']);
    expect(kindsOf(seen.listener)).toEqual(['send', 'send', 'proved']);
    expect(other.receive(data(one))).toMatchObject([{ type: 'data', number: 1, frame: { n: 1 } }]);
    expect(one.receive(other.encode('heartbeat', '{"ack":1}'))).toMatchObject([
      { type: 'heartbeat', ack: 1 },
    ]);
  });

  it.each([
    ['another cluster', { cluster: 'other' }, 'cluster', 'another cluster than other'],
    ['an id that is not in the list', { id: 0 }, 'member', 'member 0 is not in version 1 of the member list'],
    ['its own id', { id: 2 }, 'recipient', 'the smaller id dials'],
    ['another recipient', { expected: 3 }, 'recipient', 'this is member 2, not member 3'],
    ['another list of the same version', { digest: 'e' }, 'members', 'version 1; copy one to all members'],
    ['no nonce', { nonce: '' }, 'identity', 'a nonce of 128 bits'],
    ['no id', { id: undefined as unknown as number }, 'identity', 'the ids of both members'],
    ['another secret', { secret: createSecretKey(Buffer.alloc(32, 't')) }, 'mac', 'the same secret'],
    ['no secret', { secret: null }, 'mac', 'the same secret'],
  ])('refuses %s, and says why', (_, options, reason, text) => {
    const { listener, dialler } = converse(session('dialler', options), session('listener'));
    const refusal = listener.find(({ type }) => type === 'refused');
    expect(refusal).toMatchObject({ reason, text: expect.stringContaining(text) });
    expect(isProved(listener)).toBe(false);
    const answer = dialler.find(({ type }) => type === 'closed-by-peer');
    // A hello that cannot be read is not answered.
    if (answer !== undefined) expect(answer).toMatchObject({ text: expect.stringContaining(text) });
  });

  it('takes the hello of a larger id for an announcement, which proves nothing and gets no answer', () => {
    const { dialler, listener, toDialler } = converse(session('dialler', { id: 3 }), session('listener'));
    expect(listener).toEqual([{ type: 'announced', peer: 3 }]);
    expect([kindsOf(dialler), toDialler]).toEqual([['send'], []]);
    const other = session('listener');
    const hello = bytesOf(session('dialler', { id: 3 }).start());
    expect(kindsOf(other.receive(Buffer.concat([hello, hello])))).toEqual(['announced']);
  });

  it.each([
    [
      'another lease',
      { algorithm: 'bully', lease: '15000 ms' },
      'the lease of member 1 is 15000 ms, and that',
    ],
    ['settings that are missing', undefined, 'the algorithm of member 1 is not given, and that'],
    [
      'a setting more',
      { algorithm: 'bully', lease: '2000 ms', unit: '1 ms' },
      'the unit of member 1 is 1 ms',
    ],
  ])('refuses %s on both sides, and proves nobody', (_, settings, text) => {
    const own = { algorithm: 'bully', lease: '2000 ms' };
    const seen = converse(
      session('dialler', { settings: settings as ClusterSettings }),
      session('listener', { settings: own }),
    );
    const refusal = { reason: 'settings', text: expect.stringContaining(text), peer: 1 };
    expect(seen.listener.at(-1)).toMatchObject(refusal);
    expect(seen.dialler.at(-1)).toMatchObject({
      type: 'closed-by-peer',
      text: expect.stringContaining(text),
    });
    expect(isProved([...seen.listener, ...seen.dialler])).toBe(false);
  });

  it('accepts another version of the list, and reports it', () => {
    const { listener } = converse(session('dialler', { version: 2, digest: 'e' }), session('listener'));
    expect(listener.at(-1)).toMatchObject({ type: 'proved', version: 2 });
  });

  it('refuses a process that a newer one has replaced', () => {
    const { dialler } = converse(session('dialler'), session('listener', { resumption: () => null }));
    expect(dialler.at(-1)).toMatchObject({
      type: 'closed-by-peer',
      text: expect.stringContaining('stop one of the two'),
    });
  });
});

describe('a newer process that comes during the handshake', () => {
  it.each(['dialler', 'listener'] as const)('has the older one refused by the %s', (role) => {
    let asked = 0;
    // It is there between hello and ready.
    const resumption = () => (asked++ === 0 ? { next: 1, received: 0 } : null);
    const other = role === 'dialler' ? 'listener' : 'dialler';
    const sessions = { [role]: session(role, { resumption }), [other]: session(other) };
    const seen = converse(sessions.dialler, sessions.listener);
    expect(kindsOf(seen[role]).at(-1)).toBe('refused: duplicate');
    expect(isProved(seen[role])).toBe(false);
    expect(seen[other].at(-1)).toMatchObject({
      type: 'closed-by-peer',
      text: expect.stringContaining('stop one of'),
    });
  });
});

describe('a peer that leaves the member list during the handshake', () => {
  it.each(['dialler', 'listener'] as const)('is told so by the %s, and not of a newer process', (role) => {
    let asked = 0;
    const list = { ids: () => new Set(asked === 0 ? [1, 2] : [3]) };
    const resumption = () => (asked++ === 0 ? { next: 1, received: 0 } : null);
    const other = role === 'dialler' ? 'listener' : 'dialler';
    const sessions = { [role]: session(role, { ...list, resumption }), [other]: session(other) };
    const seen = converse(sessions.dialler, sessions.listener);
    const text = `member ${role === 'dialler' ? 2 : 1} is not in version 1 of the member list`;
    expect(seen[role].at(-1)).toMatchObject({ type: 'refused', reason: 'member', text });
    expect(isProved(seen[role])).toBe(false);
    expect(seen[other].at(-1)).toEqual({ type: 'closed-by-peer', text });
  });
});

describe('identity comes from the certificate', () => {
  const refused = (options: object, policy: WirePolicy = STRICT): string[] =>
    kindsOf(session('listener', { ...options, policy, secret: null }).start());

  it('and a missing one is denied before a byte is parsed, unless that check is taken out', () => {
    expect(refused({ certified: null })).toEqual(['refused: identity']);
    expect(refused({ certified: null }, without({ isCertified: () => true }))).toEqual([]);
  });

  it('and a member that is not in the list is denied before a byte is parsed, unless that check is taken out', () => {
    expect(refused({ certified: 9 })).toEqual(['refused: member']);
    expect(refused({ certified: 9 }, without({ isMember: () => true }))).toEqual([]);
  });

  it('so that member 1 cannot say that it is member 0, unless that check is taken out', () => {
    const attack = (policy: WirePolicy): string[] => {
      const plain = { secret: null, ids: () => new Set([0, 1, 2]) };
      const liar = session('dialler', { ...plain, id: 0 });
      return kindsOf(converse(liar, session('listener', { ...plain, certified: 1, policy })).listener);
    };
    expect(attack(STRICT)).toEqual(['send', 'refused: identity']);
    expect(attack(without({ isCertified: () => true }))).toContain('proved');
  });

  it('and the dialler sends nothing to a host with the certificate of another member, unless that check is taken out', () => {
    const dialled = (policy: WirePolicy) => kindsOf(session('dialler', { certified: 3, policy }).start());
    expect(dialled(STRICT)).toEqual(['refused: identity']);
    expect(dialled(without({ isCertified: () => true }))).toEqual(['send']);
  });

  it('and the highest id cannot join if it is not in the list, unless that check is taken out', () => {
    const attack = (policy: WirePolicy) => {
      const listener = session('listener', { id: 10, policy });
      return isProved(
        converse(session('dialler', { id: 9, expected: 10, ids: () => new Set([9, 10]) }), listener).listener,
      );
    };
    expect(attack(STRICT)).toBe(false);
    expect(attack(without({ isMember: () => true }))).toBe(true);
  });
});

describe('the MAC', () => {
  /** Both sides have the policy: a check is taken out of the whole cluster. */
  function pair(policy: WirePolicy, listens: object = {}): [Session, Session] {
    return [session('dialler', { policy }), session('listener', { policy, ...listens })];
  }
  const part =
    (...dropped: ('cluster' | 'dialler' | 'listener')[]): WirePolicy['sessionParts'] =>
    (cluster, dialler, listener) => [
      dropped.includes('cluster') ? '' : cluster,
      ...(dropped.includes('dialler') ? [] : [dialler.nonce, dialler.incarnation]),
      ...(dropped.includes('listener') ? [] : [listener.nonce, listener.incarnation]),
    ];

  it('refuses a wrong one, unless the comparison is taken out', () => {
    const attack = (policy: WirePolicy): string[] => {
      const [one, other] = pair(policy);
      converse(one, other);
      const forged = data(one);
      forged[HEAD_BYTES + 12] ^= 1;
      return kindsOf(other.receive(forged));
    };
    expect(attack(STRICT)).toEqual(['send', 'refused: mac']);
    expect(attack(without({ isSameMac: () => true }))).not.toContain('refused: mac');
  });

  it('refuses a frame that has none, unless the length is taken out of the comparison', () => {
    const attack = (policy: WirePolicy): string[] => {
      const [one, other] = pair(policy);
      converse(one, other);
      return kindsOf(other.receive(encodeFrame('heartbeat', '{"ack":0}')));
    };
    expect(attack(STRICT)).toEqual(['send', 'refused: mac']);
    // The body is shorter than a MAC, so all of it counts as one.
    expect(attack(without({ isSameMac: (_, given) => given.length < MAC_BYTES }))).not.toContain(
      'refused: mac',
    );
  });

  it('refuses one of which only the first byte is right, unless only that byte is compared', () => {
    const tries = (policy: WirePolicy): number => {
      let accepted = 0;
      for (let first = 0; first < 256; first++) {
        // The same nonces each time, so that the right MAC is the same.
        const [one, other] = [
          session('dialler', { policy, nonce: hex(1) }),
          session('listener', { policy, nonce: hex(2) }),
        ];
        converse(one, other);
        const forged = encodeFrame('heartbeat', '{"ack":0}', MAC_BYTES, () => Buffer.alloc(32, first));
        accepted += kindsOf(other.receive(forged)).includes('heartbeat') ? 1 : 0;
      }
      return accepted;
    };
    expect(tries(STRICT)).toBe(0);
    expect(tries(without({ isSameMac: (expected, given) => expected[0] === given[0] }))).toBe(1);
  });

  /** The attacker has recorded what the dialler sent, and sends it to a later session. */
  function replayToListener(policy: WirePolicy, listens: object): string[] {
    const [one, first] = pair(policy);
    const { toListener } = converse(one, first);
    const recorded = Buffer.concat([...toListener, data(one)]);
    return kindsOf(session('listener', { policy, ...listens }).receive(recorded));
  }

  it.each([
    ['a new connection', {}],
    ['a new connection after a restart', { incarnation: hex(77) }],
  ])('refuses a replay on %s, unless the nonce of the listener is taken out', (_, listens) => {
    expect(replayToListener(STRICT, listens)).toEqual(['send', 'send', 'refused: mac']);
    expect(replayToListener(without({ sessionParts: part('listener') }), listens)).toContain('data');
  });

  it('refuses a replay to the dialler, unless the nonce of the dialler is taken out', () => {
    const attack = (policy: WirePolicy): string[] => {
      const [one, other] = pair(policy);
      const { toDialler } = converse(one, other);
      const recorded = Buffer.concat([...toDialler, data(other)]);
      const victim = session('dialler', { policy });
      return kindsOf([...victim.start(), ...victim.receive(recorded)]);
    };
    expect(attack(STRICT)).toContain('refused: mac');
    expect(attack(without({ sessionParts: part('dialler') }))).toContain('data');
  });

  it('refuses a member of another cluster with the same secret, unless the cluster is taken out', () => {
    const attack = (policy: WirePolicy): boolean => {
      const [one, other] = pair(policy, { cluster: 'prod' });
      // Between them the attacker changes the name, which has the same length.
      const change = (bytes: Buffer, to: string): Buffer => {
        const text = bytes.toString('latin1');
        return Buffer.from(
          to === 'listener' ? text.replace('demo', 'prod') : text.replace('prod', 'demo'),
          'latin1',
        );
      };
      return isProved(converse(one, other, change).listener);
    };
    expect(attack(STRICT)).toBe(false);
    const sessionParts: WirePolicy['sessionParts'] = (_, ...hellos) => STRICT.sessionParts('', ...hellos);
    expect(attack(without({ sessionParts }))).toBe(true);
  });

  it('refuses the frames of a member that are sent back to it, unless the direction is taken out', () => {
    const attack = (policy: WirePolicy): string[] => {
      const [one, other] = pair(policy);
      converse(one, other);
      return kindsOf(one.receive(data(one)));
    };
    expect(attack(STRICT)).toEqual(['send', 'refused: mac']);
    expect(attack(without({ frameParts: (_, sequence) => [`${sequence}`] }))).toEqual(['data']);
  });

  it('refuses a heartbeat that is sent twice, as a sign of life of a dead peer, unless the number is taken out', () => {
    const attack = (policy: WirePolicy): string[] => {
      const [one, other] = pair(policy);
      converse(one, other);
      const heartbeat = one.encode('heartbeat', '{"ack":0}');
      return kindsOf([...other.receive(heartbeat), ...other.receive(heartbeat)]);
    };
    expect(attack(STRICT)).toEqual(['heartbeat', 'send', 'refused: mac']);
    expect(attack(without({ frameParts: (direction) => [direction] }))).toEqual(['heartbeat', 'heartbeat']);
  });
});

describe('a proved peer', () => {
  const receive = (body: string, kind: 'data' | 'heartbeat' = 'data'): string[] => {
    const [one, other] = [session('dialler'), session('listener')];
    converse(one, other);
    return kindsOf(other.receive(one.encode(kind, body)));
  };

  it.each([
    ['a negative number', '{"number":-1,"ack":0,"frame":{}}'],
    ['a fraction', '{"number":1.5,"ack":0,"frame":{}}'],
    ['infinity', '{"number":1,"ack":0,"frame":{"term":1e999}}'],
    ['NaN', '{"number":1,"ack":0,"frame":{"term":NaN}}'],
    ['an absurd acknowledgement', '{"number":1,"ack":9007199254740993,"frame":{}}'],
    ['no frame', '{"number":1,"ack":0}'],
    ['a list instead of an object', '[1]'],
    ['a prototype', '{"number":1,"ack":0,"frame":{"__proto__":{"isAdmin":true}}}'],
    ['an escaped prototype', '{"number":1,"ack":0,"frame":{"\\u005f_proto__":1}}'],
    ['33 levels', `{"number":1,"ack":0,"frame":${'{"a":'.repeat(33)}1${'}'.repeat(33)}}`],
    ['20,000 levels', `{"number":1,"ack":0,"frame":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
  ])('is refused if a frame has %s', (_, body) => {
    expect(receive(body)).toEqual(['send', 'refused: frame']);
  });

  it('may send 30 levels and 64 kB', () => {
    expect(receive(`{"number":1,"ack":0,"frame":${'{"a":'.repeat(30)}1${'}'.repeat(30)}}`)).toEqual(['data']);
    expect(receive(`{"number":1,"ack":0,"frame":{"a":"${'x'.repeat(65_000)}"}}`)).toEqual(['data']);
  });

  it('is refused before allocation if a length prefix is 2^32 − 1, unless the bound is taken out', () => {
    const attack = (policy: WirePolicy): [string[], number] => {
      const listener = session('listener', { policy });
      const effects = listener.receive(Buffer.from([0xff, 0xff, 0xff, 0xff]));
      for (let sent = 0; sent < 20; sent++) effects.push(...listener.receive(Buffer.alloc(60_000)));
      return [kindsOf(effects), listener.heldBytes];
    };
    expect(attack(STRICT)).toEqual([['refused: frame'], 4]);
    // Without the bound an unauthenticated peer fills the memory.
    const [kinds, held] = attack(without({ maxUnauthenticatedBytes: Number.POSITIVE_INFINITY }));
    expect(kinds).toEqual([]);
    expect(held).toBe(1_200_004);
  });

  it('is bounded more strictly before it is proved', () => {
    const listener = session('listener');
    const long = encodeFrame('hello', JSON.stringify({ padding: 'x'.repeat(3_000) }));
    expect(kindsOf(listener.receive(long.subarray(0, 4)))).toEqual(['refused: frame']);
    expect(bytesOf(listener.receive(long))).toHaveLength(0);
  });
});
