/** A step of a lesson: text and question on the left, the run on the right. */
import { useEffect, useMemo } from 'preact/hooks';
import { LESSONS } from '../../model/lessons/index.ts';
import type { LessonTask } from '../../model/lessons/lesson.ts';
import { type LessonPlace, lessonAt, placeName } from '../../model/lessons/lesson-place.ts';
import { lessonText } from '../../model/lessons/lesson-stage.ts';
import { placeOf } from '../../model/run/branch-link.ts';
import { Narration, useNarration } from '../run/narration.tsx';
import { runActions } from '../run/run-actions.ts';
import type { RunStore } from '../run/run-store.ts';
import { Transport } from '../run/transport.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { linkTo } from '../shell/router.ts';
import { NetworkView } from '../views/network-view.tsx';
import { SpaceTime } from '../views/space-time.tsx';
import { LessonControls } from './lesson-controls.tsx';
import { Numbers } from './lesson-numbers.tsx';
import { Presenter } from './presenter.tsx';
import { markSolved, solved } from './progress.ts';
import { waysOf } from './token-ways.tsx';
import { type LessonStageState, useLessonStage } from './use-lesson-stage.ts';

export interface LessonStepProps {
  readonly place: LessonPlace;
  readonly isPresenting: boolean;
}

/** A step of a lesson with its run. Its key is the place. */
export function LessonStepView({ place, isPresenting }: LessonStepProps) {
  const { lesson, step } = lessonAt(place);
  const stage = useLessonStage(step);
  const { store } = stage;
  const actions = useMemo(() => runActions(store), [store]);
  // N is the key of the notes there.
  useActions(isPresenting ? actions.filter(({ keys }) => keys?.includes('N') !== true) : actions);
  const figures = useMemo(() => lesson.figures(), [lesson]);
  if (isPresenting) return <Presenter place={place} store={store} />;
  return (
    <div class="lesson">
      <article class="lesson-text">
        <p class="caption">
          Lesson {place.lesson + 1} of {LESSONS.length}, step {place.step + 1} of {lesson.steps.length}
        </p>
        <h1>{lesson.title}</h1>
        {step.text.map((text) => (
          <p key={text} class="lesson-paragraph">
            {lessonText(text, figures)}
          </p>
        ))}
        {step.task === undefined ? (
          <LessonControls step={step} stage={stage} />
        ) : (
          <Question task={step.task} place={place} stage={stage} />
        )}
        <WaysOn place={place} stage={stage} />
      </article>
      <Stage key={store} store={store} place={place} />
    </div>
  );
}

function Stage({ store, place }: { readonly store: RunStore; readonly place: LessonPlace }) {
  const narration = useNarration(store);
  const { showsWays = false } = lessonAt(place).step;
  return (
    <section class="lesson-stage" aria-label="Run">
      <Numbers store={store} place={place} />
      <NetworkView store={store} narration={narration.text} overlay={showsWays ? waysOf(store) : undefined} />
      <Narration store={store} narrated={narration} isPlain />
      {!showsWays && <SpaceTime store={store} />}
      <Transport store={store} />
    </section>
  );
}

interface QuestionProps {
  readonly task: LessonTask;
  readonly place: LessonPlace;
  readonly stage: LessonStageState;
}

/** The question, what the reader acts with, and facts about the run. */
function Question({ task, place, stage }: QuestionProps) {
  const { store } = stage;
  store.version.value;
  // A run that plays through the goal has not been stopped there.
  const isReached = !store.isPlaying.value && task.goal(store.model);
  useEffect(() => {
    if (isReached) markSolved(place);
  }, [isReached]);
  const wasSolved = solved.value.has(placeName(place));
  return (
    <section class="lesson-question" aria-label="Your turn">
      <h2>Your turn</h2>
      <p class="lesson-paragraph">{task.question}</p>
      <LessonControls step={lessonAt(place).step} stage={stage} />
      <p class="lesson-feedback" role="status" data-reached={isReached}>
        {isReached && <strong>✓ Done. </strong>}
        {task.feedback(store.model)}
      </p>
      <p class="lesson-restart">
        <Button onClick={stage.restart}>Start again</Button>
        {wasSolved && !isReached && <span class="caption">You have answered this question before.</span>}
      </p>
    </section>
  );
}

/** The same run on other pages. */
function WaysOn({ place, stage }: { readonly place: LessonPlace; readonly stage: LessonStageState }) {
  stage.store.version.value;
  const isInCatalogue = lessonAt(place).step.algorithm === undefined;
  return (
    <p class="ways-on">
      {isInCatalogue ? (
        <a href={linkTo({ page: 'run', setup: stage.setup, extra: { ...placeOf(stage.store.model) } })}>
          Open this run on the page Run
        </a>
      ) : (
        <a href={linkTo({ page: 'leases' })}>Pause a real process on the page Leases</a>
      )}
    </p>
  );
}
