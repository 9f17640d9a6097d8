/** Simulates one run of a large network. */
import { type RunProgress, type RunSummary, summarise } from '../model/run/run-summary.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../model/setup/lab-setup.ts';
import { serveJob } from './serve-job.ts';

/** The page shows a report per frame at most. */
const REPORT_MS = 100;

serveJob<LabSetup, RunProgress, RunSummary>((setup, report) => {
  let reportedMs = performance.now();
  return summarise(algorithmOf(setup), optionsOf(setup), (progress) => {
    if (performance.now() - reportedMs < REPORT_MS) return;
    reportedMs = performance.now();
    report(progress);
  });
});
