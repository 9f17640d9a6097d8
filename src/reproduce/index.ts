/** The claims of papers and lecture notes, measured, and the report of the results. */

export type { Plot, PlotCurve, PlotPoint } from '../drawing/plot/plot.ts';
export type * from '../simulator/index.ts';
export type { Claim, Finding, FindingTable, Method, Study, Verdict } from './claim.ts';
export type { Experiment, ExperimentOptions } from './experiment.ts';
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
