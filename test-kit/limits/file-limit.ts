/** How long a test file may run before the runner ends it and everything that it has started: see file-limit-reporter.ts. */
import { effort } from './effort.ts';

const { HUSTINGS_FILE_LIMIT_MS } = process.env;
const MINUTE_MS = 60_000;

/** The slowest file of `npm test` takes about a minute on two quiet cores; the longest of the long tests half an hour. */
export const FILE_LIMIT_MS: number =
  HUSTINGS_FILE_LIMIT_MS === undefined
    ? effort({ quick: 12, full: 120 }) * MINUTE_MS
    : Number(HUSTINGS_FILE_LIMIT_MS);
