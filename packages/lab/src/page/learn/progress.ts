/** The questions that the reader has answered, kept in the browser. */
import { signal } from '@preact/signals';
import { LESSONS } from '../../model/lessons/index.ts';
import { type LessonPlace, placeName } from '../../model/lessons/lesson-place.ts';
import { readPreference, writePreference } from '../shell/preferences.ts';

const KEY = 'lessons';

export const solved = signal<ReadonlySet<string>>(
  new Set((readPreference(KEY) ?? '').split(' ').filter((name) => name !== '')),
);

export function markSolved(place: LessonPlace): void {
  const name = placeName(place);
  if (solved.peek().has(name)) return;
  solved.value = new Set([...solved.peek(), name]);
  writePreference(KEY, [...solved.peek()].join(' '));
}

/** True if every question of a lesson has been answered. */
export function isSolved(lesson: number): boolean {
  return LESSONS[lesson].steps.every(
    ({ task }, step) => task === undefined || solved.value.has(placeName({ lesson, step })),
  );
}
