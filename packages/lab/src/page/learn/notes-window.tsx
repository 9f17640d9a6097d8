/** The presenter's notes, in a second window that follows the first. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { lessonAt, neighbourPlace, readPlace } from '../../model/lessons/lesson-place.ts';
import { lessonText } from '../../model/lessons/lesson-stage.ts';
import { useActions } from '../shell/actions.ts';
import { extra } from '../shell/router.ts';
import { openChannel } from './presenting.ts';

export function NotesWindow() {
  const [place, setPlace] = useState(() => readPlace(extra.peek()) ?? { lesson: 0, step: 0 });
  const channel = useMemo(
    () => openChannel((message) => message.type === 'at' && setPlace(message.place)),
    [],
  );
  useEffect(() => {
    channel.send({ type: 'where' });
    return channel.close;
  }, [channel]);
  useActions([
    {
      id: 'notes.next',
      title: 'Next step',
      keys: ['PageDown'],
      run: () => channel.send({ type: 'go', by: 1 }),
    },
    {
      id: 'notes.previous',
      title: 'Previous step',
      keys: ['PageUp'],
      run: () => channel.send({ type: 'go', by: -1 }),
    },
  ]);
  const { lesson, step } = lessonAt(place);
  const next = neighbourPlace(place, 1);
  const figures = useMemo(() => lesson.figures(), [lesson]);
  return (
    <article class="presenter-notes">
      <p class="caption">
        {place.lesson + 1} {lesson.title}, step {place.step + 1} of {lesson.steps.length}
      </p>
      <h1>{step.line}</h1>
      <p class="lesson-paragraph">{step.notes}</p>
      {step.task !== undefined && <p class="lesson-paragraph">Question: {step.task.question}</p>}
      <details open>
        <summary>The text that readers see</summary>
        {step.text.map((text) => (
          <p key={text}>{lessonText(text, figures)}</p>
        ))}
      </details>
      <p class="caption">Next: {next === null ? 'the end' : lessonAt(next).step.line}</p>
    </article>
  );
}
