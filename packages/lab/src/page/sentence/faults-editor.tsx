/** Crashes, recoveries, loss, duplicates and partitions, each in the syntax of the command line. */
import { optionTexts } from '@hustings/study/internal/simulator/plan/option-text';
import { editOptions, editParameter } from '../../model/setup/edit-setup.ts';
import { optionsOf } from '../../model/setup/lab-setup.ts';
import { Button } from '../shell/button.tsx';
import { setup } from '../shell/router.ts';
import { CommitField } from './commit-field.tsx';
import type { EditorProps } from './editor-props.ts';

const FIELDS = [
  ['crash', 'Crashes', '3@0,4@2', 'position@time, or none'],
  ['recover', 'Recoveries', '3@10', 'position@time'],
  ['loss', 'Loss', '0.1', 'probability of each message'],
  ['loss-until', 'Loss until', '40', 'time after which no message is lost'],
  ['duplicate', 'Duplicates', '0.05', 'probability of each message'],
  ['partition', 'Partitions', '0-3/4-7@10..50', 'groups@from..until, separated by spaces'],
] as const;

export function FaultsEditor({ apply }: EditorProps) {
  const texts = optionTexts(optionsOf(setup.value));
  const textOf = (parameter: string): string =>
    texts
      .filter(([name]) => name === parameter)
      .map(([, text]) => text)
      .join(parameter === 'partition' ? ' ' : ',');
  return (
    <div class="editor-fields">
      {FIELDS.map(([parameter, label, placeholder, note], at) => (
        <CommitField
          key={parameter}
          label={label}
          value={textOf(parameter)}
          placeholder={placeholder}
          note={note}
          isFirst={at === 0}
          onCommit={(text, key) => {
            const values = parameter === 'partition' ? text.split(/\s+/) : [text.replaceAll(' ', '')];
            apply(editParameter(setup.peek(), parameter, values), { close: key === 'enter' });
          }}
        />
      ))}
      <Button
        onClick={() =>
          apply(
            editOptions(setup.peek(), {
              ...{ crash: undefined, recover: undefined, loss: undefined, lossUntil: undefined },
              ...{ duplicate: undefined, partition: undefined },
            }),
            { close: true },
          )
        }
      >
        Defaults
      </Button>
    </div>
  );
}
