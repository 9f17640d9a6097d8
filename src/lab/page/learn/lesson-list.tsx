import { LESSONS } from '../../model/lessons/index.ts';
import { placeParameters } from '../../model/lessons/lesson-place.ts';
import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, linkTo } from '../shell/router.ts';
import { isSolved } from './progress.ts';

/** All lessons, with those that are done. */
export function LessonList() {
  const unknown = extra.value.lesson;
  return (
    <>
      <PageHeading>
        Eleven lessons on <strong>leader election</strong>. Each asks a question that you answer by acting on
        a run.
      </PageHeading>
      {unknown !== undefined && (
        <Notice kind="error" text={`There is no lesson '${unknown}'. Choose one of these.`} />
      )}
      <ol class="lesson-list">
        {LESSONS.map(({ name, steps, title }, lesson) => (
          <li key={name}>
            <a href={linkTo({ extra: placeParameters({ lesson, step: 0 }) })}>
              <span class="lesson-number" aria-hidden="true">
                {lesson + 1}
              </span>
              <span class="lesson-name">
                {title}
                <span class="caption">{steps[0].line}</span>
              </span>
              {isSolved(lesson) && <span class="lesson-done">✓ done</span>}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}
