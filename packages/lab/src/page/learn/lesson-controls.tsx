import type { LessonStep } from '../../model/lessons/lesson.ts';
import { MAX_SEED } from '../../model/lessons/lesson-change.ts';
import { nodeName } from '../../model/run/step-effect.ts';
import { NextSteps } from '../run/next-steps.tsx';
import { ReorderList } from '../sentence/reorder-list.tsx';
import { Button } from '../shell/button.tsx';
import { Segmented } from '../shell/segmented.tsx';
import type { LessonStageState } from './use-lesson-stage.ts';

/** What the reader can change in a step, beside the cursor. */
export function LessonControls({
  step,
  stage,
}: {
  readonly step: LessonStep;
  readonly stage: LessonStageState;
}) {
  const { controls = {} } = step;
  const { change, setup, store } = stage;
  return (
    <>
      {controls.choices !== undefined && (
        <Segmented
          label="Algorithm"
          options={controls.choices.map(({ text }, choice) => ({ value: String(choice), text }))}
          value={String(controls.choices.findIndex((each) => each.setup === setup))}
          onChange={(value) => change({ type: 'choose', choice: Number(value) })}
        />
      )}
      {controls.ids === true && (
        <ReorderList
          label="The ids in the order of the ring"
          items={[...store.model.plan.ids]}
          onReorder={(ids) => change({ type: 'ids', ids })}
        />
      )}
      {controls.seed === true && (
        <Seed seed={setup.seed ?? 1} onChange={(seed) => change({ type: 'seed', seed })} />
      )}
      {controls.split === true && <Split stage={stage} />}
      {controls.steps === true && <NextSteps store={store} />}
    </>
  );
}

function Seed({ seed, onChange }: { readonly seed: number; readonly onChange: (seed: number) => void }) {
  const set = (value: number): void => {
    if (Number.isInteger(value) && value >= 0 && value <= MAX_SEED) onChange(value);
  };
  return (
    <div class="lesson-seed">
      <label>
        seed{' '}
        <input
          class="field"
          type="number"
          min={0}
          max={MAX_SEED}
          value={seed}
          onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
        />
      </label>
      <Button onClick={() => set(seed + 1)}>Next seed</Button>
    </div>
  );
}

/** The nodes on one side of a split network. */
function Split({ stage: { change, setup, store } }: { readonly stage: LessonStageState }) {
  const { model } = store;
  const side = setup.partition?.[0]?.groups[0] ?? [];
  const toggle = (at: number, isOn: boolean): void =>
    change({
      type: 'split',
      nodes: isOn ? [...side, at].sort((a, b) => a - b) : side.filter((each) => each !== at),
    });
  return (
    <fieldset class="lesson-split">
      <legend>Nodes on the other side of the split</legend>
      {Array.from({ length: model.plan.nodes }, (_, at) => (
        <label key={at}>
          <input
            type="checkbox"
            checked={side.includes(at)}
            onChange={({ currentTarget }) => toggle(at, currentTarget.checked)}
          />
          {nodeName(model.world, at)}
          {model.snapshot().nodes[at].isDead && ', crashed'}
        </label>
      ))}
    </fieldset>
  );
}
