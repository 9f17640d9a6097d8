/** Whose file it is. The files of a member name it, so that a file of another member is never taken for its own. */
import { InputError } from '@hustings/base';

/** A member of a cluster. */
export interface FileOwner {
  readonly cluster: string;
  readonly id: number;
}

/** An older copy is no remedy: with it a member could vote a second time in a term, or repeat a token. */
export const LOSS_REMEDY = 'remove this member, and add one with a new id and an empty folder';

/** Throws if the file names another member than its owner. */
export function checkOwner(path: string, named: FileOwner, { cluster, id }: FileOwner): void {
  if (named.cluster === cluster && named.id === id) return;
  throw new InputError(
    `${path} is that of member ${named.id} of the cluster ${named.cluster}: use another folder for member ${id} of ${cluster}`,
  );
}
