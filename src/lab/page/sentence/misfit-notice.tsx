/** Says which assumption the setup violates, and offers the ways on. */
import { capitalized } from '../../../base/text.ts';
import { editParameter } from '../../model/setup/edit-setup.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import type { SetupMisfit } from '../../model/setup/misfit.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { navigate, setup } from '../shell/router.ts';

function withRemedy(from: LabSetup, option: string, value: string): LabSetup | null {
  const values = option === 'despite' ? [...(from.despite ?? []), value] : [value];
  const edit = editParameter(from, option, values);
  return edit.type === 'changed' ? edit.setup : null;
}

/** Stands where the run would. */
export function MisfitNotice({ misfit }: { readonly misfit: SetupMisfit }) {
  const ways = misfit.remedies.flatMap(({ option, value }) => {
    const next = withRemedy(setup.value, option, value);
    return next === null ? [] : [{ option, value, next }];
  });
  return (
    <Notice kind="error" text={`${capitalized(misfit.text)}.`}>
      {ways.map(({ option, value, next }) => (
        <Button
          key={option + value}
          kind={option === 'despite' ? 'main' : undefined}
          onClick={() => navigate({ setup: next })}
        >
          {option === 'despite' ? 'Run it anyway' : `Use ${option} ${value}`}
        </Button>
      ))}
    </Notice>
  );
}
