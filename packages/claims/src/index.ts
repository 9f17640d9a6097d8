/** The claims of papers and lecture notes, measured, and the report of the results. */

export type { Plot, PlotCurve, PlotPoint } from '@hustings/study/drawing';
export type * from '@hustings/study/simulator';
export {
  type Claim,
  type Finding,
  type FindingTable,
  type Method,
  type Study,
  VERDICTS,
  type Verdict,
} from './claim.ts';
export type { Experiment, ExperimentOptions } from './experiment.ts';
export { KINDS, type Origin, originText, type Place } from './origin.ts';
export { reproductionPage } from './page/reproduction-page.ts';
export {
  assemble,
  type MeasuredRow,
  measureStudy,
  type Reproduction,
  type Result,
  reproduce,
  type StudyResult,
  studies,
} from './reproduction.ts';
