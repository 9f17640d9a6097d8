/** What the starts of different members must have in common: otherwise they are of different runs, or no run of the program. */
import { beforeEach, describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import type { BeginLine } from '../../src/record/parse-trace.ts';
import type { TraceLine } from '../../src/record/trace-line.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { replayCluster, violationsOf } from './recorded-run.ts';

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = new SimulatedCluster({ algorithm: raft, ids: [3, 8, 12], seed: 4, set: { lease: true } });
  cluster.startAll();
  await cluster.time.runUntil(1_000);
});

/** Changes all lines of these members. */
function edit(ids: readonly number[], change: (line: TraceLine) => TraceLine): void {
  for (const id of ids) cluster.traces.set(id, cluster.traces.get(id)?.map(change) ?? []);
}

const begin = (ids: readonly number[], fields: Partial<BeginLine>): void =>
  edit(ids, (line) => (line.type === 'begin' ? { ...line, ...fields } : line));

/** As if these members had run with a list of this name. */
function inList(ids: readonly number[], version: number, origin: number): void {
  begin(ids, { list: { version, origin } });
  edit(ids, (line) => (line.type === 'step' ? { ...line, epoch: version, proposer: origin } : line));
}

test.each<[keyof BeginLine, string, Partial<BeginLine>, string]>([
  ['cluster', '"simulated"', { cluster: 'other' }, '"other"'],
  ['algorithm', '"raft"', { algorithm: 'bully' }, '"bully"'],
  ['params', '{"lease":true}', { params: { lease: false } }, '{"lease":false}'],
  ['edges', 'null', { edges: [[3, 8]] }, '[[3,8]]'],
  ['members', '[3,8,12]', { members: [3, 8, 20] }, '[3,8,20]'],
  ['unitMs', '50', { unitMs: 51 }, '51'],
])('starts that differ in %s are of different runs', (field, one, fields, other) => {
  begin([8], fields);
  expect(() => replayCluster(cluster)).toThrow(
    `8.trace, line 1: its ${field} must be ${one}, as in 3.trace, line 1, not ${other}: they are of different runs`,
  );
});

test('the order in which parameters were given makes no difference', () => {
  begin([3, 12], { params: { lease: true, checkQuorum: true } });
  begin([8], { params: { checkQuorum: true, lease: true } });
  expect(violationsOf(replayCluster(cluster))).toEqual([]);
});

describe('where the leader can change the list', () => {
  test('one list at all members is a run', () => {
    inList([3, 8, 12], 2, 5);
    const { runs } = replayCluster(cluster);
    expect(runs).toMatchObject([{ list: { version: 2, members: [3, 8, 12] }, violation: null }]);
  });

  test('two member files of one version are of different runs, and their later lists may differ', () => {
    inList([3, 8, 12], 1, 0);
    begin([8], { members: [3, 8, 20] });
    expect(() => replayCluster(cluster)).toThrow(/^8\.trace, line 1: its members must be \[3,8,12\]/);
    inList([8], 2, 0);
    expect(() => replayCluster(cluster)).not.toThrow();
  });

  test.each([
    ['members', { members: [3, 8, 20] }, 2],
    ['version', {}, 3],
  ])('two lists of the leader of one term, with another %s, are a violation', (_, fields, version) => {
    inList([3, 12], 2, 5);
    inList([8], version, 5);
    begin([8], fields);
    expect(violationsOf(replayCluster(cluster))).toContainEqual({
      property: 'step',
      ...{ file: expect.stringMatching(/^(3|8|12)\.trace$/), line: 1 },
      text: expect.stringMatching(
        /^the leader of term 5 proposed version \d of 3, 8, \d+; member \d+ has version \d of 3, 8, \d+$/,
      ),
    });
  });
});
