/** Many elections over sizes, orders and schedules: their mean costs beside the laws. */
export type * from '../simulator/index.ts';
export { type CellTally, type LawTally, mergeInto } from './cell-tally.ts';
export { studentQuantile } from './confidence.ts';
export {
  type FittedPoint,
  fitGrowth,
  GROWTH_FORMS,
  type Growth,
  type GrowthFit,
  parseGrowth,
} from './growth.ts';
export type { Moments } from './moments.ts';
export type { QuantileSketch } from './quantile-sketch.ts';
export { runChunk, type StepDriver, sweep } from './sweep.ts';
export { SWEEP_MEASURES, type SweepMeasure } from './sweep-measure.ts';
export type { SweepOptions, SweepSchedule } from './sweep-options.ts';
export {
  type ChunkPlan,
  chunksOf,
  countChunks,
  planSweep,
  type SweepCell,
  type SweepChunk,
  type SweepPlan,
  type SweepSeries,
} from './sweep-plan.ts';
export { resultOf, type SweepLaw, type SweepPoint, type SweepResult } from './sweep-result.ts';
export { SweepTally } from './sweep-tally.ts';
export { decodeTally, encodeTally, type MomentsJson, type NumberJson, type TallyJson } from './tally-json.ts';
