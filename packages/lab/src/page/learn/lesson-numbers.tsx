import { type LessonPlace, lessonAt } from '../../model/lessons/lesson-place.ts';
import { figureText } from '../../model/lessons/lesson-stage.ts';
import type { RunStore } from '../run/run-store.ts';

/** The numbers of the run at its cursor. */
export function Numbers({ store, place }: { readonly store: RunStore; readonly place: LessonPlace }) {
  store.version.value;
  return (
    <dl class="lesson-numbers">
      {lessonAt(place)
        .step.numbers(store.model)
        .map(({ text, value }, k) => (
          <div key={k}>
            <dt>{text}</dt>
            <dd>{figureText(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
