import { describe, expect, it } from 'vitest';
import { leLann } from '../../../src/algorithms/ring/lelann.ts';
import type { WatchedMember } from '../../../src/lab/model/cluster/cluster-snapshot.ts';
import { clusterVerdict } from '../../../src/lab/model/cluster/cluster-text.ts';
import { ClusterReader, recordingVerdict } from '../../../src/lab/model/recording/recorded-cluster.ts';
import { textsOf } from '../../cluster/record/recorded-run.ts';
import { SimulatedCluster } from '../../cluster/simulated-cluster.ts';

function member(id: number, leader: number | null, state: WatchedMember['state'] = 'up'): WatchedMember {
  const counts = { sent: 0, received: 0, hears: [], pid: 1, term: 3, token: 3, epoch: null };
  const about = { algorithm: 'bully', state: 'running', quorum: false };
  const report = { id, leader, elected: leader, leads: leader === id, ...counts, ...about };
  return { id, address: '', state, report: state === 'up' ? report : null };
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
