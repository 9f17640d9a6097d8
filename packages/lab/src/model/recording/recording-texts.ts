import type { TraceText } from '@hustings/cluster/internal/record/parse-trace';

/** The recordings of a folder, as the server sends them. */
export interface RecordingTexts {
  /** The folder, for people. */
  readonly folder: string;
  readonly texts: readonly TraceText[];
}
