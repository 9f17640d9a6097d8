/** The parameters that the algorithm declares. */

import { rangeOf } from '@hustings/study/driver';
import type { Param, Setting } from '@hustings/study/kernel';
import { editOptions } from '../../model/setup/edit-setup.ts';
import { algorithmOf } from '../../model/setup/lab-setup.ts';
import { nodesInSetup } from '../../model/setup/sentence.ts';
import { setup } from '../shell/router.ts';
import { CommitField } from './commit-field.tsx';
import type { EditorProps } from './editor-props.ts';

export function ParametersEditor({ apply }: EditorProps) {
  const params = algorithmOf(setup.value).params as Readonly<Record<string, Param<Setting>>>;
  const nodes = nodesInSetup(setup.value);
  const change = (name: string, value: Setting | undefined, close = false): void => {
    const { [name]: _, ...rest } = setup.peek().set ?? {};
    apply(editOptions(setup.peek(), { set: value === undefined ? rest : { ...rest, [name]: value } }), {
      close,
    });
  };
  return (
    <div class="editor-fields">
      {Object.entries(params).map(([name, param]) => {
        const byDefault = typeof param.byDefault === 'function' ? param.byDefault(nodes) : param.byDefault;
        const value = String(setup.value.set?.[name] ?? byDefault);
        if (param.kind === 'integer') {
          return (
            <CommitField
              key={name}
              label={name}
              value={value}
              inputMode="numeric"
              note={`${param.about}; ${rangeOf(param, nodes)} (default: ${byDefault})`}
              onCommit={(text, key) => change(name, text === '' ? undefined : text, key === 'enter')}
            />
          );
        }
        const names = param.kind === 'flag' ? ['true', 'false'] : param.names;
        return (
          <label key={name} class="commit-field">
            <span>{name}</span>
            <select
              class="field"
              value={value}
              onChange={({ currentTarget }) =>
                change(name, currentTarget.value === String(byDefault) ? undefined : currentTarget.value)
              }
            >
              {names.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
            <small class="caption">{`${param.about} (default: ${byDefault})`}</small>
          </label>
        );
      })}
    </div>
  );
}
