import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../cluster/test/record/recorded-run.ts';
import { SimulatedCluster } from '../../../cluster/test/simulated-cluster.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { leLann } from '../../../study/src/algorithms/ring/lelann.ts';
import { newestList, type WatchedMember } from '../../src/model/cluster/cluster-snapshot.ts';
import { clusterVerdict, majorityOf } from '../../src/model/cluster/cluster-text.ts';
import { ClusterReader, recordingVerdict } from '../../src/model/recording/recorded-cluster.ts';

function member(id: number, leader: number | null, state: WatchedMember['state'] = 'up'): WatchedMember {
  const counts = { sent: 0, received: 0, hears: [], pid: 1, term: 3, token: 3, epoch: null };
  const about = { algorithm: 'bully', state: 'running', quorum: false, members: [], version: 1 };
  const report = { id, leader, elected: leader, leads: leader === id, ...counts, ...about };
  return { id, address: '', state, since: 0, report: state === 'up' ? report : null };
}

describe('the verdict on a running cluster', () => {
  it('names one leader, a split brain, and nobody; a member that is down does not lead', () => {
    expect(clusterVerdict([member(1, 2), member(2, 2)])).toMatchObject({ kind: 'led', title: '2 leads' });
    expect(clusterVerdict([member(1, 1), member(2, 2)])).toMatchObject({
      kind: 'split',
      title: '1 and 2 lead',
    });
    expect(clusterVerdict([member(1, 2), member(2, 2, 'down')])).toMatchObject({ kind: 'vacant' });
    expect(clusterVerdict([member(1, 1, 'silent')])).toMatchObject({ kind: 'unknown' });
  });
});

describe('the sentence on a running cluster', () => {
  it('says that a leader needs a majority by the algorithm, by the gate, or not at all', () => {
    const gated = [member(1, 1)].map((one) => ({
      ...one,
      report: one.report && { ...one.report, quorum: true },
    }));
    expect(majorityOf([member(1, 1)], raft)).toBe('algorithm');
    expect(majorityOf([member(1, 1)], leLann)).toBe('none');
    expect(majorityOf(gated, leLann)).toBe('gate');
    expect(majorityOf([member(1, 1, 'down')], leLann)).toBe(null);
  });
});

describe('the member list of a running cluster', () => {
  it('is the newest one that a member uses, and not that of one that waits to be added or was removed', () => {
    const using = (version: number, members: number[], state = 'running') => {
      const { report } = member(1, 1);
      if (report === null) throw new Error('no report');
      return { ...report, version, members, state };
    };
    expect(newestList([using(1, [1, 2]), using(2, [1, 2, 3])])).toEqual([1, 2, 3]);
    expect(newestList([using(2, [1, 2, 3]), using(7, [1, 9], 'joining')])).toEqual([1, 2, 3]);
    expect(newestList([using(3, [1]), using(9, [1, 2], 'removed')])).toEqual([1]);
    expect(newestList([])).toBe(null);
  });
});

describe('a recording in the lab', () => {
  it('has the runs of the replay; an edited line is a violation, and the run ends before it', async () => {
    const cluster = new SimulatedCluster({ algorithm: leLann, ids: [3, 8, 12], seed: 4 });
    cluster.startAll();
    await cluster.agree(10_000);
    const read = (texts: ReturnType<typeof textsOf>) => {
      const reader = new ClusterReader(texts, () => leLann);
      while (!reader.advance(7));
      return reader.recorded();
    };
    const clean = read(textsOf(cluster));
    expect(recordingVerdict(clean.report)).toMatchObject({ kind: 'holds', lines: [] });
    const { model, report } = clean.parts[clean.parts.length - 1];
    model.seek(model.length);
    expect(model.snapshot().judgement.leader).toBe(model.ids?.indexOf(report.leader ?? -1));
    model.seek(0);
    expect(model.snapshot().nodes.every(({ decision }) => decision === null)).toBe(true);
    const edited = read(
      textsOf(cluster).map(({ file, text }) => ({
        file,
        text: file === '8.trace' ? text.replace('"leader":12', '"leader":3') : text,
      })),
    );
    const verdict = recordingVerdict(edited.report);
    expect(verdict.kind).toBe('violated');
    expect(verdict.lines.join()).toMatch(/^8\.trace, line \d+: .*decides follower of 12/);
    const broken = edited.parts.find(({ violatedAt }) => violatedAt !== null);
    expect(broken?.violatedAt).toBe(broken?.model.length);
    expect(broken?.model.steps.at(-1)?.violation).not.toBeNull();
  });
});
