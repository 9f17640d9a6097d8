/** `--slot`: one slot of an election that has several. */
import { InputError, parseNumber } from '@hustings/base';
import { checkName } from '../../lease/core/election-name.ts';
import { slotName } from '../../lease/core/slot.ts';

export const SLOT_HELP = 'slot of an election that has several (default: 1)';

/** The name of the lease that a command is about. Both parts are checked. */
export function leaseName(name: string, slot: string | undefined): string {
  checkName(name, 'an election');
  const number = slot === undefined ? 1 : parseNumber('slot', slot);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new InputError(`--slot must be a whole number from 1, not ${slot}`);
  }
  return slotName(name, number);
}
