/** Assertions that stay on in production: a candidate with a wrong state must not go on, and its lease expires. */
import { HustingsError } from '@hustings/base';

export class InvariantError extends HustingsError {
  constructor(invariant: string) {
    super(`the lease core broke its invariant "${invariant}"; report this as a bug`, {
      code: 'HUSTINGS_INVARIANT',
    });
  }
}

export function invariant(condition: boolean, text: string): asserts condition {
  if (!condition) throw new InvariantError(text);
}
