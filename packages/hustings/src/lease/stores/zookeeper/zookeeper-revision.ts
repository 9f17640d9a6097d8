/** What a writer must know of the nodes that it replaces, as one text. */
export interface Revision {
  /** The version of the document; -1 if only the holder's node exists. */
  readonly version: number;
  /** The session of the holder's node; 0 if it belongs to none, null if there is no such node. */
  readonly owner: bigint | null;
  /** Chosen when the document was created and when a term began, and the name of its child. */
  readonly incarnation: string;
}

export const revisionText = ({ version, owner, incarnation }: Revision): string =>
  `${version} ${owner ?? '-'} ${incarnation}`;

export function parseRevision(text: string): Revision {
  const [version, owner, incarnation] = text.split(' ');
  return { version: Number(version), owner: owner === '-' ? null : BigInt(owner), incarnation };
}

/** The data of a node: the incarnation, and in the next line the document. */
export interface DocumentData {
  readonly incarnation: string;
  readonly text: string;
}

export const dataText = ({ incarnation, text }: DocumentData): string => `${incarnation}\n${text}`;

/** Data without a second line was not written by hustings; its text is no document either. */
export function parseData(data: string): DocumentData {
  const end = data.indexOf('\n');
  return { incarnation: data.slice(0, Math.max(0, end)), text: data.slice(end + 1) };
}
