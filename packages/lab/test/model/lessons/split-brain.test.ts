import { describe, expect, it } from 'vitest';
import { finished, leaders } from '../../../src/model/lessons/figures.ts';
import { changedSetup, lessonText, stageModel } from '../../../src/model/lessons/lesson-stage.ts';
import { leadersOverTime, splitBrain } from '../../../src/model/lessons/split-brain.ts';
import { narrate } from '../../../src/model/run/run-narration.ts';
import type { LabSetup } from '../../../src/model/setup/lab-setup.ts';
import { timelineOfRun } from '../../../src/model/stage/time-stage.ts';

const [withoutMajority, withMajority, twoTokens, oldStops] = splitBrain.steps;

/** The positions of the smaller and of the larger side. */
const SIDES = [
  [0, 1],
  [2, 3, 4],
];

/** Who leads from change to change, with tokens: '2:1 5:2'. */
const courseOf = (setup: LabSetup): string[] =>
  leadersOverTime(setup).map(({ nodes }) =>
    nodes.map(({ decision, id }) => `${id}:${decision?.term}`).join(' '),
  );

describe('the lesson on split brain', () => {
  it('splits the same five nodes 2 to 3 in every step, and none of them crashes', () => {
    for (const { setup } of splitBrain.steps) {
      const model = finished(setup);
      expect(setup.partition?.map(({ groups }) => groups)).toEqual([SIDES]);
      expect(model.snapshot().nodes.map(({ id, isDead }) => [id, isDead])).toEqual(
        [1, 2, 3, 4, 5].map((id) => [id, false]),
      );
    }
  });

  it('without a majority: the largest id of each side leads, all follow it, and both have the same token', () => {
    const model = stageModel(withoutMajority);
    const { nodes } = model.snapshot();
    expect(nodes.map(({ decision }) => decision?.leader)).toEqual([2, 2, 5, 5, 5]);
    expect(leaders(model).map(({ decision, id }) => [id, decision?.term])).toEqual([
      [2, 1],
      [5, 1],
    ]);
    expect(withoutMajority.numbers(model).map(({ value }) => value)).toEqual([2, 1]);
    expect(narrate(model)).toMatch(/, and id 2 and id 5 both lead\.$/);
    const [{ from }] = withoutMajority.setup.partition ?? [];
    const elected = model
      .trace()
      .events('units')
      .flatMap((event) => (event.type === 'decide' && event.role === 'leader' ? [event] : []));
    // Id 5 at once, before the split; id 2 after its timeout.
    expect(elected.map(({ leader, time }) => [leader, time < from])).toEqual([
      [5, true],
      [2, false],
    ]);
  });

  it('without a majority: the call reached all nodes before the split, and without a split one node leads', () => {
    const { partition: _, despite: __, ...whole } = withoutMajority.setup;
    expect(leaders(finished(whole)).map(({ id }) => id)).toEqual([5]);
    expect(
      stageModel(withoutMajority)
        .snapshot()
        .nodes.every(({ state }) => state.term === 1),
    ).toBe(true);
  });

  it('with a majority: id 3 leads the larger side, and nobody of the smaller side has decided or entered a term', () => {
    const { nodes } = stageModel(withMajority).snapshot();
    expect(nodes.map(({ decision }) => decision?.leader ?? null)).toEqual([null, null, 3, 3, 3]);
    for (const at of SIDES[0]) expect(nodes[at].state.term).toBe(0);
  });

  it('with a majority: in every split that a reader can make, one node leads, and it is on the larger side', () => {
    // Id 5 is on the other side: the rest are the same splits with their sides exchanged.
    for (let set = 1; set < 16; set++) {
      const side = [0, 1, 2, 3].filter((at) => (set >> at) & 1);
      const setup = changedSetup(withMajority, withMajority.setup, { type: 'split', nodes: side });
      const found = leaders(finished(setup as LabSetup));
      expect(found, `side ${side}`).toHaveLength(1);
      expect(side.includes(found[0].position), `side ${side}`).toBe(side.length > 2);
    }
  });

  it('an old leader that does not stop leads beside the new one, with the smaller token, until the split ends', () => {
    expect(courseOf(twoTokens.setup)).toEqual(['2:1', '2:1 5:2', '5:2']);
    const [, both, healed] = leadersOverTime(twoTokens.setup);
    const [{ from, until }] = twoTokens.setup.partition ?? [];
    expect(both.time).toBeGreaterThan(from);
    expect(both.time).toBeLessThan(until);
    expect(healed.time).toBeGreaterThanOrEqual(until);
    const model = finished(twoTokens.setup);
    expect(model.snapshot().nodes.map(({ decision }) => decision?.leader)).toEqual([5, 5, 5, 5, 5]);
  });

  it('with check quorum and lease the old leader stops before the new one begins, and loses its star', () => {
    expect(courseOf(oldStops.setup)).toEqual(['2:1', '', '5:2']);
    const [, stopped, next] = leadersOverTime(oldStops.setup);
    expect(next.time).toBeLessThan(oldStops.setup.partition?.[0].until ?? 0);
    // So does its row of the space-time diagram.
    const { leaderships } = timelineOfRun(finished(oldStops.setup), 'units');
    expect(leaderships.map(({ node, until }) => [node, until])).toEqual([
      [1, stopped.time],
      [4, expect.any(Number)],
    ]);
    expect(leaderships[1].from).toBe(next.time);
  });

  it('one rule alone does not do it: without check quorum two nodes lead', () => {
    expect(courseOf({ ...oldStops.setup, set: { checkQuorum: false } })).toContain('2:1 5:2');
  });

  it('tells the times and tokens of its runs', () => {
    const figures = splitBrain.figures();
    const text = splitBrain.steps
      .flatMap((step) => step.text)
      .map((each) => lessonText(each, figures))
      .join(' ');
    const [, stopped, next] = leadersOverTime(oldStops.setup);
    expect(stopped.time).toBeLessThan(next.time);
    expect(text).toContain('id 2 has token 1, id 5 has token 2');
    expect(text).toMatch(/id 2 steps down at time [\d.]+, and id 5 is elected at time [\d.]+\./);
  });
});
