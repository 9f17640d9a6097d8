/** Steps as text. */
import type { Output } from '../../../src/lease/core/lease-event.ts';
import type { ModelCandidate, Reply, Request } from './model-candidate.ts';

export function tellArrival(who: string, request: Request, reply: Reply, name: string): string {
  const end = name.startsWith('arrives twice')
    ? ', and the request will arrive again'
    : name.startsWith('arrives unanswered')
      ? '; the answer is lost, and the request will arrive again'
      : '';
  return `${who}'s ${REQUESTS[request.type]} reaches the store: ${ANSWERS[reply.type][reply.answer.type]}${end}`;
}

const REQUESTS = { acquire: 'acquire request', renew: 'renewal', release: 'release' } as const;

const ANSWERS: Readonly<Record<Reply['type'], Readonly<Record<string, string>>>> = {
  'acquire-answer': { ok: 'granted', held: 'the lease is held' },
  'renew-answer': { ok: 'renewed', lost: 'the lease is lost', evicted: 'the leader is evicted' },
  'release-answer': {
    ok: 'released',
    evicted: 'released after an eviction',
    lost: 'there was nothing to release',
  },
};

/** `name` is the name of the step in candidate-moves.ts. */
export function tellMove(
  who: string,
  state: ModelCandidate,
  name: string,
  outputs: readonly Output[],
): string {
  const [plain, way] = name.split(', ');
  const came = outputs.map(tellOutput);
  const lost = way === undefined ? [] : ['(otherwise drawn, or a message is lost)'];
  const told = [...came, ...lost].join(', ');
  const start = tellStart(who, state, plain);
  return told === '' ? start : `${start}: it ${told}`;
}

function tellStart(who: string, state: ModelCandidate, name: string): string {
  if (name.startsWith('hears ')) {
    const { body } = state.messages[Number(name.slice(6))];
    return `the answer reaches ${who} (${'answer' in body ? ANSWERS[body.type][body.answer.type] : ''})`;
  }
  if (name.startsWith('jumps ')) {
    const ms = Number(name.slice(6));
    return `${who}'s wall clock jumps ${ms < 0 ? 'back' : 'on'} by ${Math.abs(ms)} ms`;
  }
  return STARTS[name]?.replace('@', who) ?? `${who} ${name}`;
}

const STARTS: Readonly<Record<string, string>> = {
  timer: "@'s timer fires",
  campaigns: '@ campaigns',
  settles: "@'s work stops",
  resigns: '@ is told to release',
  withdraws: '@ is told to stop',
  notification: '@ gets a notification',
  reports: "@'s work reports progress",
  fails: "@'s call fails",
  crashes: '@ crashes',
  restarts: '@ restarts',
  'learns of the end': '@ learns that the holder is dead',
  writes: '@ sends a write to the resource',
  'writes at once': '@ sends a write to the resource, which accepts it at once',
};

function tellOutput(output: Output): string {
  switch (output.type) {
    case 'acquire':
      return 'sends an acquire request';
    case 'renew':
      return 'sends a renewal';
    case 'release':
      return 'releases the lease';
    case 'elected':
      return 'leads';
    case 'updated':
      return 'knows that its update is stored';
    case 'stopping':
      return `tells its work to stop (${output.reason})`;
    case 'overdue':
      return 'demands that its work is killed';
    case 'ended':
      return 'ends its term';
    case 'waiting':
      return 'waits';
    case 'store-error':
      return 'has no answer';
    case 'stopped':
      return 'stops campaigning';
  }
}
