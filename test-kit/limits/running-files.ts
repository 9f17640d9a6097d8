import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one worker runs. */
export interface RunningFile {
  readonly pid: number;
  readonly file: string;
  /** Empty before the first test. */
  readonly test: string;
  readonly startedAtMs: number;
}

/** The environment variable that names the folder in which the workers write down what they run. */
export const RUNNING_FOLDER = 'HUSTINGS_RUNNING';

export function runningFilePath(pid: number): string | undefined {
  const folder = process.env[RUNNING_FOLDER];
  return folder === undefined ? undefined : join(folder, `${pid}`);
}

export function runningFiles(folder: string): RunningFile[] {
  return readdirSync(folder).flatMap((name) => {
    try {
      return [{ pid: Number(name), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }];
    } catch {
      // The worker writes this file or removes it just now.
      return [];
    }
  });
}
