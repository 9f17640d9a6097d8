/** How long a test file may run before the runner ends it and everything that it has started: see file-limit-reporter.ts. */
const { HUSTINGS_FILE_LIMIT_MS, HUSTINGS_LONG } = process.env;
const MINUTE_MS = 60_000;

/** The slowest file of `npm test` takes about two minutes on two quiet cores; the longest of the long tests half an hour. */
export const FILE_LIMIT_MS: number =
  HUSTINGS_FILE_LIMIT_MS === undefined
    ? (HUSTINGS_LONG === '1' ? 120 : 12) * MINUTE_MS
    : Number(HUSTINGS_FILE_LIMIT_MS);
