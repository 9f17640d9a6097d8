/** The lessons, in the order in which they build on each other. */
import { bullyLesson } from './bully.ts';
import { changRobertsLesson } from './chang-roberts.ts';
import { coinFlips } from './coin-flips.ts';
import { doubling } from './doubling.ts';
import { lateLeader } from './late-leader.ts';
import type { Lesson } from './lesson.ts';
import { majorities } from './majorities.ts';
import { oneDirection } from './one-direction.ts';
import { splitBrain } from './split-brain.ts';
import { trees } from './trees.ts';
import { whyALeader } from './why-a-leader.ts';
import { worstOrder } from './worst-order.ts';

export const LESSONS: readonly Lesson[] = [
  whyALeader,
  changRobertsLesson,
  worstOrder,
  doubling,
  oneDirection,
  coinFlips,
  trees,
  bullyLesson,
  majorities,
  splitBrain,
  lateLeader,
];
