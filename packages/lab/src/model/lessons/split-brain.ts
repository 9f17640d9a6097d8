import { capitalized } from '@hustings/base';
import type { RunModel } from '../run/run-model.ts';
import type { ShownNode } from '../run/run-snapshot.ts';
import { nodeName } from '../run/step-effect.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { finished, leaderNumber, leaders, leaderText } from './figures.ts';
import type { Lesson, LessonNumber } from './lesson.ts';

const SIDES = [
  [0, 1],
  [2, 3, 4],
];
const ids = [1, 2, 3, 4, 5];

/** The split begins when the call of id 1 has reached all nodes. */
const bully: LabSetup = {
  algorithm: 'bully',
  ids,
  initiators: [0],
  crash: [],
  partition: [{ groups: SIDES, from: 1.5, until: 1000 }],
  despite: ['partition'],
};
const raft: LabSetup = {
  algorithm: 'raft',
  ids,
  partition: [{ groups: SIDES, from: 0, until: 1000 }],
  until: 90,
};
/** Id 2 is elected; then it is cut off from the majority for a while. */
const majorityStops: LabSetup = {
  algorithm: 'raft',
  ids,
  seed: 6,
  partition: [{ groups: SIDES, from: 45, until: 90 }],
  until: 100,
};
const nobodyStops: LabSetup = { ...majorityStops, set: { checkQuorum: false, lease: false } };

/** Who leads, from change to change of a whole run. */
export function leadersOverTime(
  setup: LabSetup,
): { readonly time: number; readonly nodes: readonly ShownNode[] }[] {
  const model = finished(setup);
  const changes: ReturnType<typeof leadersOverTime> = [];
  const idsOf = (nodes: readonly ShownNode[] = []): string => nodes.map(({ id }) => id).join();
  for (let position = 0; position <= model.length; position++) {
    model.seek(position);
    const nodes = leaders(model);
    if (idsOf(nodes) !== idsOf(changes.at(-1)?.nodes)) changes.push({ time: model.snapshot().time, nodes });
  }
  return changes;
}

const tokenOf = ({ decision }: ShownNode): number => decision?.term ?? 0;

function tokenNumber(nodes: readonly ShownNode[]): LessonNumber {
  const value = new Set(nodes.map(tokenOf)).size;
  return { value, text: value === 1 ? 'token in use' : 'tokens in use' };
}

/** 'Id 2 leads with token 1. Id 5 leads with token 2.' */
function tokenText(model: RunModel, nodes: readonly ShownNode[]): string {
  if (nodes.length === 0) return 'No node leads.';
  return nodes
    .map((node) => `${capitalized(nodeName(model.world, node.position))} leads with token ${tokenOf(node)}.`)
    .join(' ');
}

export const splitBrain: Lesson = {
  name: 'split-brain',
  title: 'Split brain, majority and token',
  shortTitle: 'Split brain',
  figures: () => {
    const [elected, stopped, next] = leadersOverTime(majorityStops);
    return {
      old: Number(elected.nodes[0].id),
      oldToken: tokenOf(elected.nodes[0]),
      stoppedAt: stopped.time,
      next: Number(next.nodes[0].id),
      nextToken: tokenOf(next.nodes[0]),
      nextAt: next.time,
    };
  },
  steps: [
    {
      text: [
        'All 5 nodes are alive. Id 1 calls an election of the bully. Its call has just reached everybody when the network splits: id 1 and id 2 on one side, id 3, id 4 and id 5 on the other.',
        'Id 5 is the largest and leads at once. Its announcement does not reach the smaller side. There id 2 takes the silence of all larger ids for crashes, and leads too. Neither knows of the other: split brain. If both write to the same database, one destroys the work of the other.',
        'Both lead in the same term. So a database that is given the term with each write cannot tell the two apart.',
      ],
      line: 'Without a majority, each side of a split has a leader.',
      notes:
        'Ask how id 2 could find out that it must not lead. It cannot: a node sees no difference between a crash and a split.',
      setup: bully,
      isOver: true,
      numbers: (model) => [leaderNumber(model), tokenNumber(leaders(model))],
    },
    {
      text: [
        'The cure is to count. All nodes know that they are 5, so a side of 2 knows that the others may have a leader. Nobody leads without the votes of a majority of all nodes. Raft elects in this way. Here the network is split from the beginning: the larger side has a leader, and the smaller side has none.',
        'In a cluster of real processes the quorum gate adds this condition to the bully and to other algorithms: an elected node leads only while a majority of all members supports it.',
      ],
      line: 'With a majority, the smaller side has no leader.',
      notes:
        'The price is part of the rule: the smaller side does no work until the network is whole again. Try other splits: there are never two leaders.',
      setup: raft,
      isOver: true,
      controls: { split: true },
      numbers: (model) => [leaderNumber(model), tokenNumber(leaders(model))],
      task: {
        question: 'Id 3 leads. Move one node to the other side, so that id 3 does not lead.',
        goal: (model) => leaders(model).length === 1 && leaders(model)[0].id !== 3,
        feedback: leaderText,
        solution: [{ type: 'split', nodes: [0, 1, 3] }],
        wrong: [{ type: 'split', nodes: [0] }],
      },
    },
    {
      text: [
        'What if the leader is on the smaller side? Here id {old} is elected, and all follow it. Then the network splits, and the larger side elects id {next}. Id {old} hears nothing of it and goes on, because two rules of Raft are off in this run: check quorum and lease.',
        'But two majorities share a node, and a node never votes in an older term. So the new leader has a larger term. The term is a token: id {old} has token {oldToken}, id {next} has token {nextToken}. A database that has seen the larger one refuses the smaller one. When the network is whole again, id {old} receives the larger term and follows.',
      ],
      line: 'The token tells the old leader from the new one.',
      notes:
        'Compare with the first step: there both leaders had the same token. The lesson on late leaders shows the database that checks it.',
      setup: nobodyStops,
      numbers: (model) => [leaderNumber(model), tokenNumber(leaders(model))],
      task: {
        question: 'Stop the run at a moment when two nodes lead, and read their tokens.',
        goal: (model) => leaders(model).length === 2,
        feedback: (model) => tokenText(model, leaders(model)),
        solution: [{ type: 'seek', position: 120 }],
        wrong: [{ type: 'seek', position: 60 }],
      },
    },
    {
      text: [
        'Now with both rules. Check quorum: a leader steps down if no majority has answered it for some time. Lease: a node that has answered a leader votes for no other during that time. So the old leader stops first: id {old} steps down at time {stoppedAt}, and id {next} is elected at time {nextAt}. In between nobody leads.',
        'Both rules measure time, and rely on clocks of about the same rate. The token does not. The quorum gate of a cluster has both rules and a token: docs/cluster.md tells what it guarantees.',
      ],
      line: 'The old leader stops before a new one begins.',
      notes:
        'The command hustings cluster shows the same with real processes: cut a member off, with the quorum gate and without it.',
      setup: majorityStops,
      numbers: (model) => [leaderNumber(model), tokenNumber(leaders(model))],
      task: {
        question: 'Stop the run at a moment after the first election when no node leads.',
        goal: (model) =>
          leaders(model).length === 0 && model.snapshot().nodes.some(({ decision }) => decision !== null),
        feedback: (model) => tokenText(model, leaders(model)),
        solution: [{ type: 'seek', position: 80 }],
        wrong: [{ type: 'seek', position: 60 }],
      },
    },
  ],
};
