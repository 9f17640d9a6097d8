/** Editors of clauses with one value. */
import { TOPOLOGY_FORMS } from '@hustings/study/kernel';
import { ASSUMPTIONS } from '@hustings/study/simulator';
import { editOptions, editParameter } from '../../model/setup/edit-setup.ts';
import { algorithmOf } from '../../model/setup/lab-setup.ts';
import { SCHEDULES } from '../../model/setup/parameters.ts';
import { nodesInSetup } from '../../model/setup/sentence.ts';
import { Button } from '../shell/button.tsx';
import { setup } from '../shell/router.ts';
import { CommitField } from './commit-field.tsx';
import type { EditorProps } from './editor-props.ts';

/** Sizes and seeds that are one click away. */
const EXAMPLES: Readonly<Record<string, readonly number[]>> = {
  nodes: [4, 8, 16, 64, 1000],
  seed: [1, 2, 3, 49],
  until: [],
};

export function NumberEditor({
  parameter,
  label,
  apply,
}: EditorProps & { readonly parameter: 'nodes' | 'seed' | 'until'; readonly label: string }) {
  const value = parameter === 'nodes' ? nodesInSetup(setup.value) : (setup.value[parameter] ?? 1);
  const commit = (text: string, close: boolean): void =>
    apply(editParameter(setup.peek(), parameter, [text]), { close });
  const step = (by: number): void => commit(String(value + by), false);
  return (
    <>
      <div class="editor-row">
        <CommitField
          label={label}
          value={String(value)}
          inputMode="numeric"
          isFirst
          onCommit={(text, key) => commit(text, key === 'enter')}
        />
        <Button aria-label="One less" onClick={() => step(-1)}>
          −
        </Button>
        <Button aria-label="One more" onClick={() => step(1)}>
          +
        </Button>
      </div>
      <div class="editor-row">
        {EXAMPLES[parameter].map((example) => (
          <Button key={example} onClick={() => commit(String(example), true)}>
            {example}
          </Button>
        ))}
      </div>
    </>
  );
}

const SCHEDULE_NOTES: Readonly<Record<(typeof SCHEDULES)[number], readonly [title: string, note: string]>> = {
  lockstep: ['In lockstep', 'every message takes one unit of time'],
  random: ['Random delays', 'messages of a link keep their order'],
  'random:nofifo': ['Random delays without FIFO', 'messages of a link may overtake each other'],
};

export function ScheduleEditor({ apply }: EditorProps) {
  const current = setup.value.schedule ?? 'lockstep';
  return (
    <fieldset class="editor-choices">
      <legend class="only-read">Schedule</legend>
      {SCHEDULES.map((schedule) => (
        <label key={schedule}>
          <input
            type="radio"
            name="schedule"
            checked={schedule === current}
            data-first={schedule === current || undefined}
            onChange={() => apply(editOptions(setup.peek(), { schedule }))}
          />
          <span>{SCHEDULE_NOTES[schedule][0]}</span>
          <small class="caption">{SCHEDULE_NOTES[schedule][1]}</small>
        </label>
      ))}
    </fieldset>
  );
}

/** Networks that fit each assumption, and the forms that take a size. */
function networksFor(network: string, nodes: number): readonly string[] {
  if (network === 'one-way ring' || network === 'ring') return ['ring'];
  if (network === 'complete') return ['complete'];
  const trees = ['tree', 'random-tree', 'star', 'line'];
  if (network === 'tree') return trees;
  const side = Math.max(2, Math.round(Math.sqrt(nodes)));
  return [
    `random:${2 * nodes}`,
    'ring',
    'complete',
    ...trees,
    'hypercube',
    `grid:${side}x${side}`,
    `torus:${side}x${side}`,
  ];
}

export function TopologyEditor({ apply }: EditorProps) {
  const { network } = algorithmOf(setup.value).assumes;
  const commit = (text: string, close: boolean): void =>
    apply(editParameter(setup.peek(), 'topology', [text]), { close });
  const forms = TOPOLOGY_FORMS.filter((form) => form !== 'edges:FILE').join(', ');
  return (
    <>
      <div class="editor-row">
        {networksFor(network, nodesInSetup(setup.value)).map((name) => (
          <Button key={name} aria-pressed={name === setup.value.topology} onClick={() => commit(name, true)}>
            {name}
          </Button>
        ))}
      </div>
      <CommitField
        label="Name"
        value={setup.value.topology ?? ''}
        placeholder={`by the algorithm: ${network}`}
        note={forms}
        onCommit={(text, key) => commit(text, key === 'enter')}
      />
    </>
  );
}

export function DespiteEditor({ apply }: EditorProps) {
  const given = setup.value.despite ?? [];
  return (
    <fieldset class="editor-choices">
      <legend class="only-read">Assumptions</legend>
      {ASSUMPTIONS.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={given.includes(name)}
            onChange={(event) => {
              const rest = given.filter((each) => each !== name);
              apply(
                editOptions(setup.peek(), { despite: event.currentTarget.checked ? [...rest, name] : rest }),
              );
            }}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
