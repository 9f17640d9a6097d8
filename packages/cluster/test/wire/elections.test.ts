import { afterEach, expect, it } from 'vitest';
import { bully, changRoberts, raft } from '../../../study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { PROCESS_CLOCK } from '../../src/host/process-clock.ts';
import { MemberRuntime } from '../../src/runtime/member-runtime.ts';
import { TcpTransport } from '../../src/wire/tcp-transport.ts';
import { localMembers, SECURITY } from './wire-cluster.ts';

const open = new Set<MemberRuntime>();
afterEach(async () => {
  for (const runtime of open) await runtime.close();
  open.clear();
});

it.each<[string, AnyAlgorithm]>([
  ['bully', bully],
  ['raft', raft],
  ['chang-roberts', changRoberts],
])(
  '%s elects over TCP, and again after its leader has stopped',
  async (_, algorithm) => {
    const members = await localMembers(3);
    for (const [place, { id }] of members.members.entries()) {
      const runtime = new MemberRuntime({
        cluster: members.cluster,
        self: id,
        members: members.members.map((member) => member.id),
        algorithm,
        unitMs: 100,
        detector: { heartbeatMs: 50 },
        transport: new TcpTransport({ members, id, security: SECURITY, heartbeatMs: 50 }),
        store: { load: async () => null, save: async () => undefined },
        clock: PROCESS_CLOCK,
        draw: (sides) => 1 + Math.floor(Math.random() * sides),
        incarnation: place + 1,
      });
      open.add(runtime);
      await runtime.open();
    }
    /** The leader that all agree on, or null. */
    const agreed = (): number | null => {
      const leaders = new Set([...open].map(({ status }) => status.leader));
      const [leader] = leaders;
      return leaders.size === 1 && [...open].some(({ status }) => status.id === leader) ? leader : null;
    };
    await expect.poll(agreed, { timeout: 50_000 }).not.toBeNull();
    const first =
      [...open].find(({ status }) => status.id === agreed() && status.role === 'leader') ?? [...open][2];
    open.delete(first);
    await first.close();
    await expect.poll(agreed, { timeout: 50_000 }).not.toBeNull();
  },
  120_000,
);
