/** `hustings replay DIR`: replays the recordings of a cluster. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COUNTEREXAMPLE_FOUND, reasonOf } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { screenOf } from '@hustings/base/command/terminal';
import { outputOf } from '@hustings/base/command/user-files';
import { registry } from '@hustings/study/algorithms';
import { resolveAlgorithm } from '@hustings/study/internal/cli/flags/algorithm-name';
import type { FolderFlags } from '@hustings/study/internal/cli/other-doors';
import { traceFilesIn } from '@hustings/study/internal/cli/trace-files';
import { InputError } from '@hustings/study/kernel';
import { formatShiViz, mergeRecording, replayRecording, type TraceText } from '../index.ts';
import { reportRecording } from './recording-report.ts';

export async function replayFolder(path: string, flags: FolderFlags): Promise<void> {
  const log = outputOf('shiviz', flags.shiviz);
  const recording = mergeRecording(readRecordings(path));
  const algorithm = await resolveAlgorithm(flags.algorithm ?? recording.begin.algorithm);
  const report = replayRecording(algorithm, recording);
  log?.write(formatShiViz(recording));
  const isClean = report.runs.every(({ violation }) => violation === null);
  if (!isClean) process.exitCode = COUNTEREXAMPLE_FOUND;
  if (flags.json) {
    console.log(formatJson({ version: 1, clean: isClean, ...report }));
    return;
  }
  const lines = reportRecording(report, screenOf(process.stdout));
  if (log !== null) lines.push('', `log for ShiViz: ${log.path}`);
  console.log(lines.join('\n'));
}

/** Throws if the recordings cannot be replayed. An algorithm that is not in the catalogue is not known here. */
export async function checkRecordings(folder: string, option: string): Promise<void> {
  const recording = mergeRecording(readRecordings(folder, option));
  const { algorithm: name } = recording.begin;
  if (registry.some((algorithm) => algorithm.name === name))
    replayRecording(await resolveAlgorithm(name), recording);
}

/** FOLDER/ID.trace, by id. `option` names the argument in errors. */
export function readRecordings(folder: string, option = 'FILE'): TraceText[] {
  const files = traceFilesIn(folder);
  if (files.length === 0)
    throw new InputError(
      `${option} must be a folder with recordings, files such as 3.trace; '${folder}' has none`,
    );
  return files.map((file) => {
    try {
      return { file, text: readFileSync(join(folder, file), 'utf8') };
    } catch (error) {
      throw new InputError(`${join(folder, file)} must be a readable file (${reasonOf(error)})`, {
        cause: error,
      });
    }
  });
}
