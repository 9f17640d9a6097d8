/** The recording of a member in a file: each line is written before `write` returns. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine, HustingsError } from '@hustings/base';
import { jsonLines, type TraceWriter } from '../record/trace-line.ts';

/** A recording cannot be written. */
export class TraceFileError extends HustingsError {
  constructor(path: string, cause: unknown) {
    super(
      `the recording ${path} cannot be written: ${firstLine(cause)}; free the disk, or use another folder`,
      {
        code: 'HUSTINGS_TRACE_FILE',
        cause,
      },
    );
  }
}

export interface TraceFile extends TraceWriter {
  close(): void;
}

/** Appends to FOLDER/ID.trace. After the first failure, `onFailure` is called once and nothing more is written. */
export function openTraceFile(
  folder: string,
  id: number,
  onFailure: (error: TraceFileError) => void,
): TraceFile {
  const path = join(folder, `${id}.trace`);
  let file: number | null;
  try {
    mkdirSync(folder, { recursive: true });
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    throw new TraceFileError(path, error);
  }
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const append = (text: string): void => {
    if (file === null) return;
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    } catch (error) {
      close();
      onFailure(new TraceFileError(path, error));
    }
  };
  return { ...jsonLines(append), close };
}
