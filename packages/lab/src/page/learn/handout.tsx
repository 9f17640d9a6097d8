/** A lesson on paper: one block for each step. It is seen in print only. */

import { renderPanel } from '@hustings/study/internal/drawing/network/render-network';
import { useMemo } from 'preact/hooks';
import type { Lesson, LessonStep } from '../../model/lessons/lesson.ts';
import { figureText, lessonText, stageModel } from '../../model/lessons/lesson-stage.ts';
import type { RunModel } from '../../model/run/run-model.ts';
import { NetworkStage } from '../../model/stage/network-stage.ts';
import { PAGE_PALETTE } from '../views/page-palette.ts';

const WIDTH = 260;
const HEIGHT = 220;
const TEXT = 12;

export function Handout({ lesson, number }: { readonly lesson: Lesson; readonly number: number }) {
  const figures = useMemo(() => lesson.figures(), [lesson]);
  return (
    <section class="handout" aria-hidden="true">
      <p class="handout-title">
        {number} {lesson.title}
      </p>
      {lesson.steps.map((step, k) => (
        <HandoutStep key={step.line} step={step} number={k + 1} figures={figures} />
      ))}
      <p class="caption">hustings, page Learn, lesson {lesson.name}</p>
    </section>
  );
}

interface HandoutStepProps {
  readonly step: LessonStep;
  readonly number: number;
  readonly figures: ReturnType<Lesson['figures']>;
}

function HandoutStep({ step, number, figures }: HandoutStepProps) {
  const model = useMemo(() => stageModel(step), [step]);
  return (
    <div class="handout-step">
      <Picture model={model} />
      <p class="handout-line">
        {number}. {step.line}
      </p>
      {step.text.map((text) => (
        <p key={text}>{lessonText(text, figures)}</p>
      ))}
      <p>
        {step
          .numbers(model)
          .map(({ text, value }) => `${figureText(value)} ${text}`)
          .join('; ')}
      </p>
      {step.task !== undefined && <p class="handout-question">Question: {step.task.question}</p>}
    </div>
  );
}

/** The network as the reader meets it. */
function Picture({ model }: { readonly model: RunModel }) {
  const drawn = useMemo(() => {
    const stage = new NetworkStage(model, { x: 4, y: 4, width: WIDTH - 8, height: HEIGHT - 8 }, TEXT);
    return renderPanel(stage.panel(model.snapshot()), PAGE_PALETTE).join('');
  }, [model]);
  return (
    <svg
      class="handout-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      dangerouslySetInnerHTML={{ __html: drawn }}
    />
  );
}
