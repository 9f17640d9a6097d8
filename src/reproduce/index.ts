/** Every claim of the sources, measured anew, and the page that shows them. */

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
