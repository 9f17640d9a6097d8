/** Members over real sockets on this machine, with what each of them has seen. */
import { afterEach, expect } from 'vitest';
import { freePort } from '../../../../test-kit/servers/index.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import type { Frame } from '../../src/transport.ts';
import { PROCESS_CLOCK, type WireClock } from '../../src/wire/connection.ts';
import { STRICT, type WirePolicy } from '../../src/wire/policy.ts';
import type { WireEvent } from '../../src/wire/refusal.ts';
import type { ClusterSecurity } from '../../src/wire/security.ts';
import { TcpTransport } from '../../src/wire/tcp-transport.ts';
import type { WireOptions } from '../../src/wire/wire-options.ts';

export const SECURITY: ClusterSecurity = {
  type: 'secret',
  secret: 'not a secret, and 32 bytes long at least',
};

const open = new Set<TcpTransport>();

afterEach(async () => {
  for (const transport of open) await transport.close();
  open.clear();
});

export interface WireMember {
  readonly id: number;
  readonly transport: TcpTransport;
  /** The field `n` of each frame, by sender. */
  readonly frames: Map<number, unknown[]>;
  readonly resets: (readonly [peer: number, unacknowledged: readonly Frame[]])[];
  readonly events: WireEvent[];
  signsOfLife: number;
  refusals(): string[];
}

export async function localMembers(count: number, cluster = 'demo'): Promise<MemberList> {
  const members: { id: number; address: string }[] = [];
  for (let id = 1; id <= count; id++) members.push({ id, address: `127.0.0.1:${await freePort()}` });
  return { cluster, version: 1, members };
}

export async function startMember(
  members: MemberList,
  id: number,
  options: Partial<WireOptions> & { readonly policy?: Partial<WirePolicy>; readonly clock?: WireClock } = {},
): Promise<WireMember> {
  const { clock = PROCESS_CLOCK, policy, ...rest } = options;
  const events: WireEvent[] = [];
  const transport = new TcpTransport(
    {
      members,
      id,
      security: SECURITY,
      heartbeatMs: 50,
      // A busy machine must not break connections, except in a test that is about that.
      silenceMs: 60_000,
      onEvent: (event) => events.push(event),
      ...rest,
    },
    { clock, policy: { ...STRICT, handshakeTimeoutMs: 60_000, ...policy } },
  );
  const frames = new Map<number, unknown[]>(members.members.map((member) => [member.id, []]));
  const member: WireMember = {
    id,
    transport,
    frames,
    resets: [],
    events,
    signsOfLife: 0,
    refusals: () => events.flatMap((event) => (event.type === 'refused' ? [event.reason] : [])),
  };
  open.add(transport);
  await transport.open({
    onFrame: (from, frame) => frames.get(from)?.push(frame.n),
    onSignOfLife: () => {
      member.signsOfLife++;
    },
    onReset: (peer, unacknowledged) =>
      (member.resets as (readonly [number, readonly Frame[]])[]).push([peer, unacknowledged]),
  });
  return member;
}

export async function stopMember({ transport }: WireMember): Promise<void> {
  open.delete(transport);
  await transport.close();
}

export const message = (n: unknown): Frame => ({ type: 'message', n });

export async function connected(...members: readonly WireMember[]): Promise<void> {
  for (const { id, transport } of members) {
    const others = members.map((member) => member.id).filter((other) => other !== id);
    await expect.poll(() => [...transport.connected].sort(), { timeout: 30_000 }).toEqual(others);
  }
}
