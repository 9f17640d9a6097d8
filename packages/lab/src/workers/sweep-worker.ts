/** Runs a share of the chunks of a sweep. The page merges the tallies in their order, so the number of workers does not matter. */
import { chunksOf, encodeTally, runChunk, type SweepChunk, type TallyJson } from '@hustings/study/sweep';
import { type CompareRequest, comparePlan } from '../model/compare/compare-request.ts';
import { serveJob } from './serve-job.ts';

/** A worker takes every `of`-th chunk, from `share` on. */
export interface SweepShare extends CompareRequest {
  readonly share: number;
  readonly of: number;
}

export interface ChunkDone {
  readonly chunk: SweepChunk;
  readonly tally: TallyJson;
}

serveJob<SweepShare, ChunkDone, null>((request, report) => {
  const plan = comparePlan(request);
  let index = 0;
  for (const chunk of chunksOf(plan)) {
    if (index++ % request.of !== request.share) continue;
    report({ chunk, tally: encodeTally(runChunk(plan, chunk)) });
  }
  return null;
});
