/** The errors of a run, by what programs rely on: code, assumption, property and remedy, not the text. */
import { expect } from 'vitest';
import type { Remedy } from '../../../base/src/hustings-error.ts';

/** The run violates an assumption; the error may have to name a way out. */
export function refused(assumption: string, remedy?: Remedy): unknown {
  const remedies = remedy === undefined ? {} : { remedies: expect.arrayContaining([remedy]) };
  return expect.objectContaining({ code: 'HUSTINGS_ASSUMPTION', assumption, ...remedies });
}

/** The election violates a property. */
export function violated(property: string): unknown {
  return expect.objectContaining({ code: 'HUSTINGS_ELECTION', property });
}

/** The option of that name cannot be used. */
export function invalid(option: string): unknown {
  return expect.objectContaining({
    code: 'HUSTINGS_INPUT',
    message: expect.stringMatching(new RegExp(`^${option} of `)),
  });
}
