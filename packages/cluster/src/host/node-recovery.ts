/** The recovery of a member process whose folder does not last: what it asks for, and where the answer goes. */
import { randomInt } from 'node:crypto';
import { RecoveryGuard } from '../folder/recovery-guard.ts';
import type { RecordName } from '../membership/list-record.ts';
import type { MemberRuntime } from '../runtime/member-runtime.ts';
import type { TcpTransport } from '../wire/tcp-transport.ts';
import type { GatedLead } from './gated-lead.ts';
import { PROCESS_CLOCK } from './process-clock.ts';

interface RecoveringNode {
  /** It is made with the guard, so it is asked for later. */
  runtime(): MemberRuntime;
  /** With a quorum the gate is what must not forget. Otherwise the algorithm is. */
  readonly lead: GatedLead | null;
  leaseMs(): number;
  onRefused(from: number, reason: string): void;
}

/** With a quorum members store one list after the other, and no leader stamps them. */
function storedList({ follower }: GatedLead): RecordName | null {
  return follower.stored && { stamp: 0, version: follower.stored.version, origin: 0 };
}

export function recoveryOf(
  transport: TcpTransport,
  { heartbeatMs, id: self }: { readonly heartbeatMs: number; readonly id: number },
  { lead, leaseMs, onRefused, runtime }: RecoveringNode,
): RecoveryGuard {
  const isOpen = (): boolean => !['starting', 'stopped'].includes(runtime().status.state);
  return new RecoveryGuard(transport, {
    ...{ self, leaseMs, onRefused, clock: PROCESS_CLOCK, pauseMs: heartbeatMs, process: randomInt(2 ** 47) },
    members: () => {
      const { members, state } = runtime().status;
      const mayBegin = lead === null ? state === 'recovering' : isOpen();
      return mayBegin ? members : null;
    },
    list: () => (lead === null ? runtime().list : storedList(lead)),
    known: () => (isOpen() ? (lead?.support ?? runtime().lists.known) : null),
    sendList: (to) => runtime().lists.tell(to),
    refusal: (token) => (lead ?? runtime().lists).refusal(token),
    isConnected: (peer) => transport.connected.includes(peer),
    onRecovered: (known) => {
      if (lead === null) runtime().lists.recovered(known);
      else lead.recover(known);
    },
  });
}
