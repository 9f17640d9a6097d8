/** Simulates one run of a large network. */
import { type RunProgress, type RunSummary, summarise } from '../model/run/run-summary.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../model/setup/lab-setup.ts';
import { serveJob, sometimes } from './serve-job.ts';

serveJob<LabSetup, RunProgress, RunSummary>((setup, report) =>
  summarise(algorithmOf(setup), optionsOf(setup), sometimes(report)),
);
