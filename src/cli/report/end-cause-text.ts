/** Why a term ended, as a sentence for whoever reads the history. */
import { END_REASONS, type EndCause } from '../../lease/index.ts';

const CAUSES: Readonly<Record<EndCause, string>> = {
  ...END_REASONS,
  expired: 'the lease ran out: its holder did not renew it in time',
  gone: 'the process of its holder was gone, as its successor could prove',
};

export function causeOf(cause: EndCause): string {
  return CAUSES[cause] ?? 'a cause that this release does not know';
}
