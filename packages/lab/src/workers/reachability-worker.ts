/** For each step that can happen next: whether it can still lead to a violation. */
import { type Reachability, reachabilityFrom } from '@hustings/study/checker';
import { formatStep, isFaultStep } from '@hustings/study/driver';
import { type RunPlace, restorePlace } from '../model/run/branch-link.ts';
import { RunModel } from '../model/run/run-model.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../model/setup/lab-setup.ts';
import { serveJob } from './serve-job.ts';

/** A run at its cursor. */
export interface ReachabilityRequest {
  readonly setup: LabSetup;
  readonly place: RunPlace;
}

/** By the text of the step. */
export type ReachabilityReply = readonly { readonly step: string; readonly reachability: Reachability }[];

/** States per step: a few seconds in all. */
const MAX_STATES = 4000;

serveJob<ReachabilityRequest, ReachabilityReply[number], ReachabilityReply>(({ setup, place }, report) => {
  const model = RunModel.of(algorithmOf(setup), optionsOf(setup));
  restorePlace(model, place);
  const { world } = model;
  const before = world.save();
  return world
    .enabled()
    .filter((step) => !isFaultStep(step))
    .map((step) => {
      world.load(before);
      const reachabilities = world.branch(step, () => reachabilityFrom(world, MAX_STATES));
      const reply = { step: formatStep(step), reachability: worst(reachabilities) };
      report(reply);
      return reply;
    });
});

/** The worst result of all random draws in the step: a violation counts more than what is unknown. */
function worst(reachabilities: readonly Reachability[]): Reachability {
  return (
    reachabilities.find(({ type }) => type === 'violation') ??
    reachabilities.find(({ type }) => type === 'unknown') ??
    reachabilities[0]
  );
}
