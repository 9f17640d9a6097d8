/** What a member process prints: one JSON object per line for programs, or a sentence. */
import type { ClusterNodeEvent, ClusterNodeStatus } from '../host/node-status.ts';

/** A line of `--events`. */
export interface NodeLine {
  readonly type: string;
  /** The wall clock in milliseconds. */
  readonly at: number;
  readonly node: number;
  readonly pid: number;
  readonly leader: number | null;
  /** The epoch, or the term of the algorithm. */
  readonly epoch: number;
  readonly [field: string]: unknown;
}

export function nodeLine(type: string, status: ClusterNodeStatus, more: object = {}): NodeLine {
  const { elected, exclusive, id, isReady: ready, leader, leads, pid, state, term, token } = status;
  const line = { type, at: Date.now(), node: id, pid, leader, epoch: term };
  return { ...line, token, leads, ready, elected, exclusive, state, ...more };
}

/** Null for an event that only a debugger needs. */
export function lineOf(event: ClusterNodeEvent, status: ClusterNodeStatus): NodeLine | null {
  switch (event.type) {
    case 'leader':
      return nodeLine('leader', status);
    case 'warning':
      return nodeLine('warning', status, { text: event.text });
    case 'removed':
      return nodeLine('removed', status, { version: event.version });
    case 'stopped':
      return nodeLine('stopped', status, { text: event.error.message });
    case 'member': {
      const inner = event.event;
      if (inner.type === 'suspicion')
        return nodeLine('suspicion', status, { peer: inner.peer, suspected: inner.suspected });
      if (inner.type === 'refused')
        return nodeLine('refused', status, { peer: inner.from, text: `${inner.reason}${more(event)}` });
      if (inner.type === 'members')
        return nodeLine('members', status, { version: inner.version, members: inner.members });
      if (inner.type === 'handler-failed') return nodeLine('failed', status, { text: String(inner.error) });
      if (inner.type === 'epoch') return nodeLine('epoch', status, { members: inner.epoch?.members ?? null });
      return null;
    }
    case 'wire': {
      const inner = event.event;
      if (inner.type === 'refused') {
        const { address, peer, text } = inner;
        return nodeLine('refused', status, { peer, address, text: `${address}: ${text}${more(event)}` });
      }
      if (inner.type === 'refused-by-peer')
        return nodeLine(inner.type, status, { peer: inner.peer, text: `${inner.text}${more(event)}` });
      if (inner.type === 'other-members') {
        const { peer, version } = inner;
        const text = `member ${peer} has version ${version} of the member list, and member ${status.id} version ${status.version}`;
        return nodeLine(inner.type, status, { peer, text: `${text}${more(event)}` });
      }
      return null;
    }
  }
}

/** A peer that is refused comes again: not each time is a line. */
const more = ({ repeats = 0 }: { readonly repeats?: number }): string =>
  repeats === 0 ? '' : ` (and ${repeats} times before this line)`;

/** A line for people; null for what happens too often. */
export function sentence(line: NodeLine): string | null {
  const { epoch, leader, leads, node, peer, text, token } = line;
  switch (line.type) {
    case 'leader':
      if (leads) return `member ${node} leads, token ${String(token)}, epoch ${epoch}`;
      if (leader !== null) return `member ${node} follows ${leader}`;
      return line.ready ? `member ${node} is not the leader` : `member ${node} knows no leader`;
    case 'suspicion':
      return `member ${node} ${line.suspected ? 'suspects' : 'hears again'} member ${String(peer)}`;
    case 'members':
      return `member ${node} uses version ${String(line.version)} of the member list: ${String(line.members)}`;
    case 'removed':
      return `member ${node} was removed from the cluster by version ${String(line.version)} of the member list, and ends`;
    case 'exit':
      return `member ${node} has ended (${String(line.signal ?? line.code)})`;
    case 'up':
      return `member ${node} is up, PID ${line.pid}`;
    case 'agreed':
      return `all members that are up agree: ${leader} leads`;
    case 'epoch':
      return null;
    case 'other-members':
      return String(text);
    case 'refused-by-peer':
      return `member ${node} is refused by member ${String(peer)}: ${String(text)}`;
    default:
      return `member ${node}: ${line.type}${text === undefined ? '' : `: ${String(text)}`}`;
  }
}
