/** The ids by position: dragged, moved with the keyboard, or typed. */
import { editOptions, editParameter } from '../../model/setup/edit-setup.ts';
import { algorithmOf } from '../../model/setup/lab-setup.ts';
import { nodesInSetup, shownIds } from '../../model/setup/sentence.ts';
import { Button } from '../shell/button.tsx';
import { setup } from '../shell/router.ts';
import { CommitField } from './commit-field.tsx';
import type { EditorProps } from './editor-props.ts';
import { ReorderList } from './reorder-list.tsx';

/** More ids are changed by their order or as text. */
const MAX_DRAGGED = 40;

export function IdsEditor({ apply }: EditorProps) {
  const algorithm = algorithmOf(setup.value);
  if (algorithm.assumes.ids === 'anonymous') {
    return <p class="caption">{algorithm.title} gives its nodes no ids.</p>;
  }
  const isSmall = setup.value.ids !== 'anonymous' && nodesInSetup(setup.value) <= MAX_DRAGGED;
  const ids = isSmall ? shownIds(setup.value) : [];
  const reversed = (): number[] => [...shownIds(setup.peek())].reverse();
  return (
    <>
      {isSmall && (
        <ReorderList
          label="Ids by position"
          items={ids}
          onReorder={(next) => apply(editOptions(setup.peek(), { ids: next }))}
        />
      )}
      <div class="editor-row">
        {(['ascending', 'descending', 'random'] as const).map((order) => (
          <Button
            key={order}
            aria-pressed={setup.value.ids === undefined && (setup.value.order ?? 'random') === order}
            onClick={() => apply(editOptions(setup.peek(), { order }))}
          >
            {order}
          </Button>
        ))}
        {isSmall && (
          <Button onClick={() => apply(editOptions(setup.peek(), { ids: reversed() }))}>reversed</Button>
        )}
      </div>
      <CommitField
        label="As a list"
        value={isSmall ? ids.join(',') : typeof setup.value.ids === 'object' ? setup.value.ids.join(',') : ''}
        note="ids separated by commas, clockwise on a ring"
        onCommit={(text, key) =>
          apply(editParameter(setup.peek(), 'ids', [text]), { close: key === 'enter' })
        }
      />
    </>
  );
}
