/** The claims of papers and lecture notes, measured, and the report of the results. */

export type { Claim, Finding, Method, Verdict } from './claim.ts';
export type { ExperimentOptions } from './experiment.ts';
export { reproductionPage } from './page/reproduction-page.ts';
export {
  assemble,
  measureStudy,
  type Reproduction,
  type Result,
  reproduce,
  type StudyResult,
  studies,
} from './reproduction.ts';
