/**
 * Ongaro and Ousterhout 2014, section 5.2, with one candidate and no faults: message by message, in lockstep. Node 0
 * starts an election after `timeout` units. With pre-vote it asks all nodes and waits for a majority, itself
 * included; then it requests votes in the same way. It sends heartbeats when it becomes the leader, and then whenever
 * a `heartbeats`th part of the timeout has passed since it requested votes. All nodes answer every request. Timers
 * are handled after the messages of the same time. Messages sent at `end` are counted, later ones are not.
 */

export interface RaftOutcome {
  byType: Record<string, number>;
  electedAt: number;
  agreedAt: number;
}

export interface RaftRun {
  n: number;
  timeout: number;
  heartbeats: number;
  prevote: boolean;
  end: number;
}

const ANSWERS: Record<string, string> = {
  requestPreVote: 'preVote',
  requestVote: 'vote',
  heartbeat: 'acknowledge',
};

export function raftLockstep({ n, timeout, heartbeats, prevote, end }: RaftRun): RaftOutcome {
  const byType = { requestPreVote: 0, preVote: 0, requestVote: 0, vote: 0, heartbeat: 0, acknowledge: 0 };
  const count: Record<string, number> = byType;
  const knewAt = new Array<number>(n).fill(-1);
  let flight: { at: number; to: number; type: string }[] = [];
  let votedAt = -1;
  // It counts itself as the first of each.
  let [preVotes, votes] = [1, 1];
  const majority = Math.floor(n / 2) + 1;
  let beats = 0;
  let hasAsked = false;
  const send = (now: number, to: number, type: string) => {
    count[type] = (count[type] ?? 0) + 1;
    flight.push({ at: now + 1, to, type });
  };
  const askAll = (now: number, type: string) => {
    for (let to = 1; to < n; to++) send(now, to, type);
  };
  const lead = (now: number) => {
    knewAt[0] = now;
    askAll(now, 'heartbeat');
  };
  const askForVotes = (now: number) => {
    votedAt = now;
    askAll(now, 'requestVote');
    if (n === 1) lead(now);
  };

  for (;;) {
    const nextBeat =
      votedAt >= 0 ? votedAt + ((beats + 1) * timeout) / heartbeats : hasAsked ? end + 1 : timeout;
    const now = Math.min(nextBeat, ...flight.map(({ at }) => at));
    if (now > end) break;
    const arriving = flight.filter(({ at }) => at === now);
    flight = flight.filter(({ at }) => at > now);
    for (const { to, type } of arriving) {
      const answer = ANSWERS[type];
      if (answer !== undefined) {
        if (type === 'heartbeat' && knewAt[to] === -1) knewAt[to] = now;
        send(now, 0, answer);
      } else if (type === 'preVote') {
        if (++preVotes === majority) askForVotes(now);
      } else if (type === 'vote') {
        if (++votes === majority) lead(now);
      }
    }
    if (now !== nextBeat) continue;
    if (votedAt < 0) {
      hasAsked = true;
      if (prevote) askAll(now, 'requestPreVote');
      if (!prevote || n === 1) askForVotes(now);
    } else {
      beats++;
      if (knewAt[0] !== -1) askAll(now, 'heartbeat');
    }
  }
  return { byType, electedAt: knewAt[0] ?? -1, agreedAt: Math.max(...knewAt) };
}
