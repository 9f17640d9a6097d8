/** The nodes that start by themselves: all, some, or a random set. */

import { describeInitiators } from '@hustings/study/internal/simulator/plan/option-text';
import { editOptions, editParameter } from '../../model/setup/edit-setup.ts';
import { algorithmOf } from '../../model/setup/lab-setup.ts';
import { nodesInSetup, shownIds } from '../../model/setup/sentence.ts';
import { Button } from '../shell/button.tsx';
import { setup } from '../shell/router.ts';
import { CommitField } from './commit-field.tsx';
import type { EditorProps } from './editor-props.ts';

const MAX_SHOWN = 40;

export function InitiatorsEditor({ apply }: EditorProps) {
  const { initiators = 'all', ids: given } = setup.value;
  const algorithm = algorithmOf(setup.value);
  const nodes = nodesInSetup(setup.value);
  const isAnonymous = algorithm.assumes.ids === 'anonymous' || given === 'anonymous';
  const starts = (position: number): boolean =>
    initiators === 'all' ||
    (Array.isArray(initiators) &&
      initiators.some((entry) => (typeof entry === 'number' ? entry : entry.position) === position));
  const all = Array.from({ length: Math.min(nodes, MAX_SHOWN) }, (_, position) => position);
  const toggle = (position: number): void => {
    const next = all.filter((each) => (each === position ? !starts(each) : starts(each)));
    apply(editOptions(setup.peek(), { initiators: next.length === nodes ? 'all' : next }));
  };
  const labels = nodes <= MAX_SHOWN && !isAnonymous ? shownIds(setup.value) : all;
  return (
    <>
      {nodes <= MAX_SHOWN && (
        <fieldset class="toggle-list">
          <legend class="caption">{isAnonymous ? 'By position' : 'By id, in the order of positions'}</legend>
          {all.map((position) => (
            <button
              key={position}
              type="button"
              class="reorder-item"
              data-first={position === 0 || undefined}
              aria-pressed={starts(position)}
              onClick={() => toggle(position)}
            >
              {labels[position]}
            </button>
          ))}
        </fieldset>
      )}
      <div class="editor-row">
        <Button onClick={() => apply(editOptions(setup.peek(), { initiators: 'all' }))}>all</Button>
        <Button onClick={() => apply(editOptions(setup.peek(), { initiators: { random: 1 } }))}>
          one at random
        </Button>
        <Button
          onClick={() =>
            apply(editOptions(setup.peek(), { initiators: { random: Math.max(1, nodes >> 1) } }))
          }
        >
          half at random
        </Button>
      </div>
      <CommitField
        label="As text"
        value={describeInitiators(initiators)}
        note="all, random:3, or positions with optional times, as in 0,7@7"
        onCommit={(text, key) =>
          apply(editParameter(setup.peek(), 'initiators', [text]), { close: key === 'enter' })
        }
      />
    </>
  );
}
