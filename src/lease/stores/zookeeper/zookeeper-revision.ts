/** What a writer must know of the nodes that it replaces, as one text. */
export interface Revision {
  /** How many elections had been deleted before the document was read. */
  readonly removals: number;
  readonly version: number;
  /** The session of the holder's node; 0 if it belongs to none, null if there is no such node. */
  readonly owner: bigint | null;
  /** The transaction that created the document; null if this process created it and has not read it since. */
  readonly createdBy: bigint | null;
}

export const revisionText = ({ removals, version, owner, createdBy }: Revision): string =>
  [removals, version, owner ?? '-', createdBy ?? '-'].join(' ');

export function parseRevision(text: string): Revision {
  const [removals, version, owner, createdBy] = text.split(' ');
  const big = (number: string): bigint | null => (number === '-' ? null : BigInt(number));
  return {
    removals: Number(removals),
    version: Number(version),
    owner: big(owner),
    createdBy: big(createdBy),
  };
}
