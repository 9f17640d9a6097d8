/**
 * One thread of a worker of a queue: computes the tasks of jobs. It keeps what it prepared for the latest batches.
 *
 * Guarantees: a name of the batch never opens a file of this machine. A path is resolved only among the files that came with
 * the batch, only if the worker accepts files, and each has the hash with which it was sent. Nothing is written to disk.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { measureStudy } from '@hustings/claims';
import { isPath, resolveAlgorithm } from '@hustings/study/internal/cli/flags/algorithm-name';
import { chunkRunner } from '@hustings/study/internal/cli/workers/chunk-runner';
import { toWorkerError } from '@hustings/study/internal/cli/workers/worker-error';
import { type AnyAlgorithm, InputError } from '@hustings/study/kernel';
import { encodeTally, planSweep, type SweepChunk } from '@hustings/study/sweep';
import type { JobRequest, JobResult } from '../job.ts';
import type { Part, SharedSweep, SharedTask, SharedWork } from '../shared-work.ts';

export interface ThreadData {
  readonly allowFiles: boolean;
}

type Perform = (task: SharedTask) => Part;

const MAX_BATCHES = 4;
const prepared = new Map<string, Promise<Perform>>();

async function prepare(work: SharedWork): Promise<Perform> {
  if (work.type === 'reproduce') {
    return (task) => [task as number, measureStudy(task as number, work.options)];
  }
  const runChunk = chunkRunner(
    planSweep(await Promise.all(work.names.map((name) => algorithmOf(name, work))), work.options),
  );
  return (task) => [(task as SweepChunk).cell, encodeTally(runChunk(task as SweepChunk))];
}

async function algorithmOf(name: string, { files }: SharedSweep): Promise<AnyAlgorithm> {
  if (!isPath(name)) return resolveAlgorithm(name);
  // Such work is in a queue of its own, so this shows only work that was put into the wrong one.
  if (!(workerData as ThreadData).allowFiles)
    throw new InputError(`the worker does not accept files: ${name}`);
  const file = files.find(({ path }) => path === name);
  if (file === undefined) throw new InputError(`the sweep names the file ${name}, but did not bring it`);
  // Loaded on use: a user's file may import the whole package.
  return (await import('@hustings/study/internal/cli/user-file/algorithm-file')).carriedAlgorithm(file);
}

function performOf({ batch, work }: JobRequest): Promise<Perform> {
  const known = prepared.get(batch);
  if (known !== undefined) return known;
  const [oldest] = prepared.keys();
  if (prepared.size >= MAX_BATCHES) prepared.delete(oldest);
  const perform = prepare(JSON.parse(work));
  prepared.set(batch, perform);
  return perform;
}

parentPort?.on('message', async (request: JobRequest) => {
  const reply = (result: JobResult): void => parentPort?.postMessage(result);
  try {
    const perform = await performOf(request);
    reply({ type: 'parts', parts: request.tasks.map(perform) });
  } catch (error) {
    reply({ type: 'error', error: toWorkerError(error) });
  }
});
