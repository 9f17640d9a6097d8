/** A step for a lecture hall: one sentence, one picture, at most three numbers. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type LessonPlace,
  lessonAt,
  neighbourPlace,
  placeParameters,
} from '../../model/lessons/lesson-place.ts';
import { useNarration } from '../run/narration.tsx';
import type { RunStore } from '../run/run-store.ts';
import { useActions } from '../shell/actions.ts';
import { navigate } from '../shell/router.ts';
import { NetworkView } from '../views/network-view.tsx';
import { Numbers } from './lesson-numbers.tsx';
import { openChannel, openNotes, stopPresenting } from './presenting.ts';
import { waysOf } from './token-ways.tsx';

export interface PresenterProps {
  readonly place: LessonPlace;
  readonly store: RunStore;
}

/** The picture is shown at twice its size. */
const TEXT = 15;

export function Presenter({ place, store }: PresenterProps) {
  const { lesson, step } = lessonAt(place);
  const isBlank = useSignal(false);
  const { text: narration } = useNarration(store);
  useActions([
    {
      id: 'present.blank',
      title: 'Blank the screen',
      keys: ['B'],
      run: () => {
        isBlank.value = !isBlank.value;
      },
    },
    { id: 'present.notes', title: 'Notes in a second window', keys: ['N'], run: () => openNotes(place) },
    { id: 'present.leave', title: 'Leave presenter mode', keys: ['Escape'], run: stopPresenting },
  ]);
  useNotesWindow(place);
  useFullScreenEnd();
  return (
    <div class="presenter" data-blank={isBlank.value}>
      <div class="presenter-text">
        <p class="presenter-lesson">
          {place.lesson + 1} {lesson.title}
        </p>
        <h1>{step.line}</h1>
        {step.task !== undefined && <p class="presenter-question">{step.task.question}</p>}
        <Numbers store={store} place={place} />
      </div>
      <NetworkView
        store={store}
        narration={narration}
        maxText={TEXT}
        overlay={step.showsWays === true ? waysOf(store) : undefined}
      />
      <footer class="presenter-keys">
        <span>
          step {place.step + 1} of {lesson.steps.length}
        </span>
        <progress value={place.step + 1} max={lesson.steps.length} aria-label="Progress of the lesson" />
        <span>Page ↓ next · Page ↑ back · Space play · → ← step · B blank · N notes · Esc leave</span>
      </footer>
    </div>
  );
}

/** Tells the window of notes where the presenter is, and follows its keys. */
function useNotesWindow(place: LessonPlace): void {
  useEffect(() => {
    const channel = openChannel((message) => {
      if (message.type === 'where') channel.send({ type: 'at', place });
      const next = message.type === 'go' ? neighbourPlace(place, message.by) : null;
      if (next !== null) navigate({ extra: placeParameters(next) });
    });
    channel.send({ type: 'at', place });
    return channel.close;
  }, [place.lesson, place.step]);
}

/** The browser takes Esc in full screen for itself: the end of full screen is the end of presenting. */
function useFullScreenEnd(): void {
  const wasFull = useRef(document.fullscreenElement !== null);
  useEffect(() => {
    const onChange = (): void => {
      if (document.fullscreenElement !== null) wasFull.current = true;
      else if (wasFull.current) stopPresenting();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
}
