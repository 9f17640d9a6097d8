import { describe, expect, it } from 'vitest';
import type { StepLine } from '../../../cluster/src/record/parse-trace.ts';
import type { TraceLine } from '../../../cluster/src/record/trace-line.ts';
import { messageType } from '../../../cluster/src/record/upkeep-step.ts';
import { SimulatedCluster } from '../../../cluster/test/simulated-cluster.ts';
import { bully } from '../../../study/src/algorithms/complete/bully.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { purposesOf } from '../../../study/src/drawing/trace/purpose.ts';
import { isLiveStep, type LiveEvent } from '../../src/model/cluster/live-event.ts';
import { LiveSteps } from '../../src/model/cluster/live-steps.ts';
import { liveText, liveTimeline } from '../../src/model/cluster/live-timeline.ts';

const IDS = [1, 2, 3, 4, 5];
const PURPOSES = purposesOf(raft);
const isUpkeep = (type: string): boolean => PURPOSES.upkeep.includes(type);

/** A cluster of Raft in virtual time, and what a page has of it. */
class Watched {
  readonly cluster = new SimulatedCluster({ algorithm: raft, ids: IDS, seed: 7 });
  readonly steps = new LiveSteps(isUpkeep);
  private given = 0;

  static async agreed(): Promise<Watched> {
    const watched = new Watched();
    watched.cluster.startAll();
    await watched.cluster.agree(20_000);
    return watched;
  }

  get leader(): number {
    const found = this.cluster.living.find((id) => this.cluster.statusOf(id).role === 'leader');
    if (found === undefined) throw new Error('nobody leads');
    return found;
  }

  /** Runs on, and gives the page what was written every 100 ms. */
  async run(ms: number): Promise<LiveEvent[]> {
    const { lines, time } = this.cluster;
    const end = time.nowMs + ms;
    while (time.nowMs < end) {
      await time.runUntil(Math.min(end, time.nowMs + 100));
      for (const { id, line } of lines.slice(this.given)) this.steps.add(id, [line], time.nowMs);
      this.given = lines.length;
      this.steps.ordered();
    }
    return this.steps.ordered();
  }

  /** The upkeep that was sent, up to now. */
  get sent(): number {
    return sentIn(this.cluster.lines.map(({ line }) => line));
  }
}

function sentIn(lines: readonly { readonly type: string }[]): number {
  const steps = (lines as readonly TraceLine[]).flatMap((line) => (line.type === 'step' ? line.sent : []));
  return steps.filter(({ message }) => isUpkeep(messageType(message))).length;
}

const foldsOf = (events: readonly LiveEvent[]): number[] =>
  events.flatMap(({ entry }) => (entry.type === 'upkeep' ? [entry.messages] : []));
const isRound = ({ entry }: LiveEvent): boolean =>
  entry.type === 'step' && /^timer \d heartbeat/.test(entry.step);
const drawn = (events: readonly LiveEvent[]) => liveTimeline(events, IDS, PURPOSES);

describe('the live diagram of Raft', () => {
  it('of an idle cluster has the election, a count of the heartbeats, and the last round of them', async () => {
    const watched = await Watched.agreed();
    const events = await watched.run(12_000);
    const folds = foldsOf(events);
    expect(folds).toHaveLength(1);
    // Nothing is lost: each message is drawn, counted, or in the round that has only begun.
    const open = watched.sent - folds[0] - sentIn(events.map(({ entry }) => entry));
    expect(open).toBeGreaterThanOrEqual(0);
    expect(open).toBeLessThanOrEqual(2 * (IDS.length - 1));
    expect(folds[0]).toBeGreaterThan(200);
    const { timeline } = drawn(events);
    expect(timeline.pieces.filter(({ fold }) => fold === 'upkeep').map(({ label }) => label)).toEqual([
      `upkeep × ${folds[0]}`,
    ]);
    const fold = timeline.pieces.findLast((piece) => piece.fold === 'upkeep');
    const round = timeline.transfers.filter(({ sent }) => sent >= (fold?.until ?? 0));
    expect(round.map(({ fate, message }) => `${message.type} ${fate}`).sort()).toEqual([
      ...new Array(4).fill('acknowledge delivered'),
      ...new Array(4).fill('heartbeat delivered'),
    ]);
    expect(timeline.transfers.filter(({ message }) => message.type === 'requestVote').length).toBeGreaterThan(
      3,
    );
    expect(timeline.leaderships.at(-1)).toMatchObject({
      node: IDS.indexOf(watched.leader),
      until: timeline.end,
    });
    expect(timeline.phases.at(-1)?.text).toBe(`term ${watched.cluster.statusOf(1).term}`);
  });

  it('shows the leader to a page that was opened long after the election', async () => {
    const watched = await Watched.agreed();
    const late = new LiveSteps(isUpkeep);
    await watched.run(10_000);
    for (const [id, lines] of watched.cluster.traces) late.add(id, [lines[0], ...lines.slice(-50)], 0);
    const { timeline } = drawn(late.ordered());
    expect(timeline.leaderships).toHaveLength(1);
    // There was more than what it knows.
    const labels = timeline.pieces.flatMap(({ label }) => label ?? []);
    expect(labels).toEqual([expect.stringMatching(/^upkeep > \d+$/)]);
    expect(timeline.lifelines.flat().map(({ state }) => state)).not.toContain('asleep');
    expect(timeline.leaderships[0]).toMatchObject({
      node: IDS.indexOf(watched.leader),
      until: timeline.end,
    });
  });

  it('has the next election in full when the leader is killed, and the lead ends with its process', async () => {
    const watched = await Watched.agreed();
    await watched.run(5_000);
    const first = watched.leader;
    watched.cluster.crash(first);
    expect(watched.steps.noteReach(first, 'gone', watched.cluster.time.nowMs)).toBe(true);
    const events = await watched.run(5_000);
    const { timeline } = drawn(events);
    const gone = events.findIndex(({ entry }) => entry.type === 'gone');
    // The last round of the old leader, and then nothing but the next election.
    expect(events.slice(0, gone).filter((one) => one.id === first && isRound(one))).toHaveLength(1);
    const election = events.slice(gone).filter(isLiveStep);
    expect(election.filter(({ entry }) => /^timer \d election/.test(entry.step))).not.toEqual([]);
    expect(election.filter(({ entry }) => entry.decided?.role === 'leader')).not.toEqual([]);
    const [old] = timeline.leaderships.filter(({ node }) => node === IDS.indexOf(first)).slice(-1);
    const [next] = timeline.leaderships.slice(-1);
    expect(next.node).toBe(IDS.indexOf(watched.leader));
    expect(old.until).toBeLessThanOrEqual(next.from);
    // What is sent to the process that is gone ends in a cross.
    const toGone = timeline.transfers.filter(({ fate, to }) => to === old.node && fate !== 'delivered');
    expect(new Set(toGone.slice(-4).map(({ fate }) => fate))).toEqual(new Set(['receiver dead']));
  });

  it('ends the lead of a leader that steps down, although it has decided nothing else', async () => {
    const watched = await Watched.agreed();
    await watched.run(3_000);
    const first = watched.leader;
    for (const id of IDS) {
      watched.cluster.network.cut(first, id);
      watched.cluster.network.cut(id, first);
    }
    const events = await watched.run(5_000);
    const last = events.findLast((one) => one.id === first && isLiveStep(one) && one.entry.decided);
    expect(last?.entry).toMatchObject({ decided: { role: 'leader' } });
    expect(events.filter(({ id }) => id === first).map(liveText)).toContainEqual(
      expect.stringMatching(/^timer heartbeat fires, steps down$/),
    );
    const { timeline } = drawn(events);
    const leading = timeline.leaderships.filter(({ until }) => until === timeline.end);
    expect(leading.map(({ node }) => IDS[node])).toEqual(
      IDS.filter((id) => id !== first && watched.cluster.statusOf(id).role === 'leader'),
    );
    expect(leading).toHaveLength(1);
  });

  it('does not change when a stream connects again and repeats its lines', async () => {
    const watched = await Watched.agreed();
    const before = await watched.run(3_000);
    for (const [id, lines] of watched.cluster.traces) watched.steps.add(id, lines, 0);
    expect(watched.steps.ordered().map(liveText)).toEqual(before.map(liveText));
  });

  it('keeps a bounded number of events, however many elections there are', async () => {
    const watched = await Watched.agreed();
    for (let k = 0; k < 6; k++) {
      const { leader } = watched;
      watched.cluster.crash(leader);
      await watched.run(3_000);
      watched.cluster.start(leader);
      await watched.run(3_000);
    }
    const events = await watched.run(100);
    expect(events.length).toBeLessThanOrEqual(240);
    expect(events.length).toBeGreaterThan(100);
  });
});

const begin = (incarnation: number, version: number): TraceLine => ({
  ...{ type: 'begin', cluster: 'c', id: 1, incarnation, algorithm: 'raft', params: {}, members: [1, 2] },
  ...{ list: { version, origin: 0 }, edges: null, unitMs: 50, recovered: false, durable: null },
});
const step = (own: number, at: number): TraceLine => ({
  ...{ type: 'step', epoch: 0, proposer: 0, step: 'start 0', clock: { 1: own }, at, sent: [] },
});
const typesOf = (steps: LiveSteps): string[] => steps.ordered().map(({ entry }) => entry.type);

describe('the live steps of a member', () => {
  it('go on after a change of the member list, which counts steps from 1 again', () => {
    const steps = new LiveSteps(isUpkeep);
    const first = [begin(1, 1), step(1, 10), step(2, 20), step(3, 30)];
    const second = [begin(1, 2), step(1, 40), step(2, 50)];
    steps.add(1, [...first, ...second], 60);
    const times = (): number[] => steps.ordered().map(({ at }) => at);
    expect(times()).toEqual([10, 20, 30, 40, 50]);
    steps.add(1, [...first, ...second, step(3, 60)], 60);
    expect(times()).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it('tell once that its process is gone, that the next one is back, and that one does not answer', () => {
    const steps = new LiveSteps(isUpkeep);
    // Nothing is known of it.
    expect(steps.noteReach(1, 'gone', 5)).toBe(false);
    steps.add(1, [begin(1, 1), step(1, 10)], 10);
    expect([steps.noteReach(1, 'gone', 20), steps.noteReach(1, 'gone', 25)]).toEqual([true, false]);
    // Before its first line a process is not back.
    expect(steps.noteReach(1, 'here', 28)).toBe(false);
    steps.add(1, [begin(2, 1), step(1, 30)], 30);
    expect(typesOf(steps)).toEqual(['step', 'gone', 'back', 'step']);
    expect([steps.noteReach(1, 'silent', 40), steps.noteReach(1, 'here', 50)]).toEqual([true, true]);
    expect(typesOf(steps).slice(4)).toEqual(['silent', 'answers']);
    // It was killed and started between two looks.
    steps.add(1, [begin(3, 1), step(1, 60)], 60);
    expect(typesOf(steps).slice(6)).toEqual(['gone', 'back', 'step']);
  });

  it('count the steps that were left out, but not those from before, nor those that are repeated', () => {
    const steps = new LiveSteps(isUpkeep);
    steps.add(1, [begin(1, 1), step(401, 10)], 10);
    steps.add(1, [step(405, 20)], 20);
    steps.add(1, [begin(1, 1), step(3, 1), step(400, 9), step(405, 20), step(406, 30)], 30);
    expect(steps.dropped).toBe(3);
  });
});

/** A round of heartbeats between two members, from their leader 1; `change` replaces what differs. */
function round(k: number, change: (line: StepLine) => StepLine = (line) => line): [number, StepLine][] {
  const line = (own: number, about: Partial<StepLine>): StepLine =>
    change({
      type: 'step',
      epoch: 0,
      proposer: 0,
      step: '',
      clock: { 1: own, 2: own },
      at: k,
      sent: [],
      ...about,
    });
  const [hb, ack] = [`1.1.${k}`, `2.1.${k}`];
  const heartbeat = { to: 2, message: `heartbeat term=1 round=${k}`, key: hb };
  const acknowledge = { to: 1, message: `acknowledge term=1 round=${k}`, key: ack };
  return [
    [1, line(2 * k - 1, { step: 'timer 0 heartbeat', sent: [heartbeat] })],
    [2, line(k, { step: `deliver 0 > 1 ${heartbeat.message} (port 0)`, of: hb, sent: [acknowledge] })],
    [1, line(2 * k, { step: `deliver 1 > 0 ${acknowledge.message} (port 0)`, of: ack })],
  ];
}

/** What is kept of 40 rounds, as `member: what happens`. */
function keptOf(change: (line: StepLine) => StepLine): string[] {
  const steps = new LiveSteps(isUpkeep);
  for (let k = 1; k <= 40; k++) for (const [id, line] of round(k, change)) steps.add(id, [line], k);
  return steps.ordered().map((event) => `${event.id}: ${liveText(event)}`);
}

describe('of folded upkeep', () => {
  const last = [
    '1: timer heartbeat fires, sends heartbeat term=1 round=39 to 2',
    '2: receives heartbeat term=1 round=39 from 1, sends acknowledge term=1 round=39 to 1',
    '1: receives acknowledge term=1 round=39 from 2',
  ];

  it('only the last round is kept', () => {
    expect(keptOf((line) => line)).toEqual(['1: 76 messages of upkeep', ...last]);
  });

  it('the heartbeat that makes a member follow is kept, with its answer', () => {
    const decided = { role: 'follower', leader: 1, term: 1 };
    expect(keptOf((line) => (line.of === '1.1.20' ? { ...line, decided } : line))).toEqual([
      '1: 38 messages of upkeep',
      // The last one before something else happens.
      '1: timer heartbeat fires, sends heartbeat term=1 round=20 to 2',
      '2: receives heartbeat term=1 round=20 from 1, sends acknowledge term=1 round=20 to 1, follows 1',
      '1: receives acknowledge term=1 round=20 from 2',
      '1: 36 messages of upkeep',
      ...last,
    ]);
  });

  it('the cause of an event that comes late is kept', () => {
    const decided = { role: 'follower', leader: 1, term: 1 };
    const kept = keptOf((line) => {
      if (line.of === '1.1.23') return { ...line, of: '1.1.20', decided };
      return line.of === '1.1.20' ? { ...line, of: '1.1.23' } : line;
    });
    expect(kept).toContain('1: timer heartbeat fires, sends heartbeat term=1 round=20 to 2');
  });

  it('a step after which a member stands elsewhere is kept', () => {
    const standing = (leader: number | null) => ({ leader, term: 1 });
    const kept = keptOf((line) => ({ ...line, standing: standing(line.of === '1.1.20' ? null : 1) }));
    expect(kept.filter((text) => text.includes('no longer follows 1'))).toHaveLength(1);
    expect(kept.filter((text) => text.includes('follows 1 again'))).toHaveLength(1);
  });

  it('a heartbeat whose delivery is folded is not in flight, and another message is', () => {
    const [[, sent]] = round(1);
    const other = { ...sent.sent[0], message: 'requestVote term=1 round=1', key: '1.1.9' };
    const events: LiveEvent[] = [
      { id: 1, at: 1, entry: { ...sent, sent: [...sent.sent, other] } },
      { id: 1, at: 2, entry: { type: 'upkeep', messages: 30, isPartial: false, after: null } },
      ...round(2).map(([id, entry]) => ({ id, at: 3, entry })),
    ];
    const { timeline } = liveTimeline(events, [1, 2], PURPOSES);
    expect(timeline.transfers.map(({ fate, message }) => `${message.type} ${fate}`)).toEqual([
      'requestVote in flight',
      'heartbeat delivered',
      'acknowledge delivered',
    ]);
  });
});

describe('the live diagram of the bully', () => {
  it('ends the lead of a process that does not answer, until it answers again', async () => {
    const cluster = new SimulatedCluster({ algorithm: bully, ids: [1, 2, 3], seed: 3 });
    cluster.startAll();
    await cluster.agree(10_000);
    const steps = new LiveSteps(() => false);
    for (const { id, line } of cluster.lines) steps.add(id, [line], cluster.time.nowMs);
    const leading = (): number[] => {
      const { ids, timeline } = liveTimeline(steps.ordered(), [1, 2, 3], purposesOf(bully));
      return timeline.leaderships.filter(({ until }) => until === timeline.end).map(({ node }) => ids[node]);
    };
    expect(leading()).toEqual([3]);
    steps.noteReach(3, 'silent', cluster.time.nowMs + 2_000);
    steps.noteReach(2, 'silent', cluster.time.nowMs + 2_001);
    expect(leading()).toEqual([]);
    steps.noteReach(3, 'here', cluster.time.nowMs + 4_000);
    expect(leading()).toEqual([3]);
  });
});
