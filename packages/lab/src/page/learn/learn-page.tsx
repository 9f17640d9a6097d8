/** The Learn page: the list of lessons, a lesson, and its forms for presenters. */
import '../run/run.css';
import '../sentence/sentence.css';
import './learn.css';
import { LESSONS } from '../../model/lessons/index.ts';
import {
  type LessonPlace,
  NO_PLACE,
  neighbourPlace,
  placeParameters,
  readPlace,
} from '../../model/lessons/lesson-place.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, linkTo, navigate } from '../shell/router.ts';
import { Handout } from './handout.tsx';
import { LessonStepView } from './lesson-step.tsx';
import { NotesWindow } from './notes-window.tsx';
import { startPresenting } from './presenting.ts';
import { isSolved } from './progress.ts';

export default function LearnPage() {
  const place = readPlace(extra.value);
  if (extra.value.notes === '1') return <NotesWindow />;
  if (place === null) return <LessonList />;
  return <LessonPage place={place} />;
}

/** All lessons, with those that are done. */
function LessonList() {
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

const goTo = (place: LessonPlace): void => navigate({ extra: placeParameters(place) });

function LessonPage({ place }: { readonly place: LessonPlace }) {
  const isPresenting = extra.value.present === '1';
  const next = neighbourPlace(place, 1);
  const previous = neighbourPlace(place, -1);
  useActions([
    {
      id: 'learn.next',
      title: 'Next step of the lesson',
      keys: ['PageDown'],
      when: () => next !== null,
      run: () => next && goTo(next),
    },
    {
      id: 'learn.previous',
      title: 'Previous step of the lesson',
      keys: ['PageUp'],
      when: () => previous !== null,
      run: () => previous && goTo(previous),
    },
    { id: 'learn.present', title: 'Present', keys: ['P'], when: () => !isPresenting, run: startPresenting },
    { id: 'learn.handout', title: 'Print this lesson as a handout', run: () => print() },
  ]);
  return (
    <div class="learn">
      <LessonStepView key={`${place.lesson}.${place.step}`} place={place} isPresenting={isPresenting} />
      {!isPresenting && <LessonBar place={place} next={next} previous={previous} />}
      <Handout key={place.lesson} lesson={LESSONS[place.lesson]} number={place.lesson + 1} />
    </div>
  );
}

interface LessonBarProps {
  readonly place: LessonPlace;
  readonly next: LessonPlace | null;
  readonly previous: LessonPlace | null;
}

/** Previous and next step; between them all lessons. */
function LessonBar({ place, next, previous }: LessonBarProps) {
  const name = ({ lesson, step }: LessonPlace): string =>
    lesson === place.lesson ? `Step ${step + 1}` : `Lesson ${lesson + 1}`;
  return (
    <nav class="lesson-bar" aria-label="Lessons">
      <Button disabled={previous === null} onClick={() => previous && goTo(previous)}>
        ← {previous === null ? 'Start' : name(previous)}
      </Button>
      <ol>
        {LESSONS.map(({ name, shortTitle }, lesson) => (
          <li key={name} data-done={isSolved(lesson)}>
            <a
              href={linkTo({ extra: placeParameters({ lesson, step: 0 }) })}
              aria-current={lesson === place.lesson ? 'step' : undefined}
            >
              {shortTitle}
              {isSolved(lesson) && (
                <>
                  <span aria-hidden="true"> ✓</span>
                  <span class="only-read">, done</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ol>
      <Button onClick={startPresenting}>
        Present{' '}
        <span aria-hidden="true">
          <kbd>P</kbd>
        </span>
      </Button>
      <Button onClick={() => print()}>Handout</Button>
      {next === null ? (
        <Button kind="main" onClick={() => navigate({ extra: NO_PLACE })}>
          All lessons
        </Button>
      ) : (
        <Button kind="main" onClick={() => goTo(next)}>
          {name(next)} →
        </Button>
      )}
    </nav>
  );
}
