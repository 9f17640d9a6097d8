import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { leaderNumber } from './figures.ts';
import { leaseWithPause } from './lease-with-pause.ts';
import { type Lesson, type LessonNumber, takes } from './lesson.ts';

/** The name of the algorithm is not in the catalogue: steps carry it. */
const unfenced: LabSetup = {
  algorithm: leaseWithPause.name,
  topology: 'star',
  ids: [3, 1, 2],
  schedule: 'random',
};
const fenced: LabSetup = { ...unfenced, set: { fence: true } };

const STORE = 0;
const upToFirstWrite = [
  ...['id 3 starts', 'id 1 starts', 'id 2 starts'],
  ...['request 1 reaches id 3', 'request 2 reaches id 3', 'grant 1 reaches id 1'],
];
const lateWrite = takes(
  'timer lease of id 3 fires',
  'grant 2 reaches id 2',
  'write 2 reaches id 3',
  'write 1 reaches id 3',
);
const inTime = takes(
  'write 1 reaches id 3',
  'timer lease of id 3 fires',
  'grant 2 reaches id 2',
  'write 2 reaches id 3',
);

function resource(model: RunModel): Readonly<Record<'accepted' | 'stale' | 'refused', number>> {
  return model.snapshot().nodes[STORE].state as never;
}

function numbers(model: RunModel): LessonNumber[] {
  const { accepted, refused } = resource(model);
  return [
    leaderNumber(model),
    { value: accepted, text: accepted === 1 ? 'accepted write' : 'accepted writes' },
    { value: refused, text: refused === 1 ? 'refused write' : 'refused writes' },
  ];
}

function feedback(model: RunModel): string {
  const { accepted, refused, stale } = resource(model);
  const late = stale > 0 ? ' A write of an old leader has overwritten that of the new one.' : '';
  return `The resource has accepted ${accepted} and refused ${refused} ${accepted + refused === 1 ? 'write' : 'writes'}.${late}`;
}

export const lateLeader: Lesson = {
  name: 'late-leader',
  title: 'Pause, stale leader and fence',
  shortTitle: 'Late leader',
  figures: () => ({}),
  steps: [
    {
      text: [
        'Services elect with a lease: a record in a store that one candidate holds for a limited time. Here id 3 in the centre is the store, and also the resource that the leader writes to. Id 1 and id 2 are candidates. Each grant carries a token that is larger than all before it.',
        'When the lease ends, the store grants it to the next candidate. In this schedule every write arrives in time.',
      ],
      line: 'A lease is leadership for a limited time.',
      notes: 'Name the two roles of the centre: the store that grants, and the resource that is written to.',
      setup: { ...unfenced, schedule: 'lockstep' },
      algorithm: leaseWithPause,
      numbers,
    },
    {
      text: [
        'Id 1 holds the lease and has just sent a write. Suppose that the process is paused at this moment by its garbage collector or its virtual machine, or that the network delays the message. The resource cannot tell the difference. No check of the clock before the write helps: the pause may begin after the check.',
      ],
      line: 'A paused leader does not know that its lease has ended.',
      notes: 'Every clock of the paused process stands still. Only the store’s clock moves.',
      setup: unfenced,
      algorithm: leaseWithPause,
      opening: upToFirstWrite,
      controls: { steps: true },
      numbers,
      task: {
        question: 'Choose the next steps so that the write of id 1 overwrites a later write of id 2.',
        goal: (model) => resource(model).stale > 0,
        feedback,
        solution: lateWrite,
        wrong: inTime,
      },
    },
    {
      text: [
        'No lease can stop a delayed write in an asynchronous network. A fencing token can, if the resource checks it: the resource remembers the largest token that it has seen and refuses a smaller one. The order of the grants decides, not the order of arrival.',
        'Now the resource has a fence. The same steps are possible. The page Leases shows the same with real processes: pause the leader of the demo there.',
      ],
      line: 'The resource refuses a token that is older than one it has seen.',
      notes:
        'On a machine with the demo, open the page Leases, pause the leader, and wait for the refused write.',
      setup: fenced,
      algorithm: leaseWithPause,
      opening: upToFirstWrite,
      controls: { steps: true },
      numbers,
      task: {
        question: 'Choose the same steps as before, so that the resource refuses the late write.',
        goal: (model) => resource(model).refused > 0 && resource(model).stale === 0,
        feedback,
        solution: lateWrite,
        wrong: inTime,
      },
    },
  ],
};
