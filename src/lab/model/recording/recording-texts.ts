import type { TraceText } from '../../../cluster/record/parse-trace.ts';

/** The recordings of a folder, as the server sends them. */
export interface RecordingTexts {
  /** The folder, for people. */
  readonly folder: string;
  readonly texts: readonly TraceText[];
}
