/** Why a term ended, as a sentence for the history. */
import { END_REASONS, type EndCause } from '../../lease/index.ts';

const CAUSES: Readonly<Record<EndCause, string>> = {
  ...END_REASONS,
  expired: 'the holder did not renew the lease in time',
  gone: 'the process of the holder was dead, as its successor proved',
};

export function causeOf(cause: EndCause): string {
  return CAUSES[cause] ?? 'a cause that this version does not know';
}
