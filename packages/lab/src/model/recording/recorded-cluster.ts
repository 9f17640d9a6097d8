/**
 * The recordings of a cluster as runs that the lab can show: each is replayed step by step, and every configuration of
 * the replay is kept, so that the lab shows what the replay saw.
 */

import {
  type MergedRecording,
  mergeRecording,
  type RecordedEvent,
} from '@hustings/cluster/internal/record/merge';
import { placeText, type TraceText } from '@hustings/cluster/internal/record/parse-trace';
import { RecordingReplay } from '@hustings/cluster/internal/record/replay-recording';
import type { RunReplay } from '@hustings/cluster/internal/record/run-replay';
import type {
  RecordedViolation,
  RecordingReport,
  ReplayedRun,
} from '@hustings/cluster/internal/record/run-report';
import { type Configuration, History } from '@hustings/study/driver';
import type { AnyAlgorithm, TraceEvent } from '@hustings/study/kernel';
import { ASSUMPTIONS, Run } from '@hustings/study/simulator';
import { initialEvents } from '../run/recorded-run.ts';
import { RunModel } from '../run/run-model.ts';
import { type RunStep, runStepOf, StateReader } from '../run/run-step.ts';

/** One run of the recording: an epoch, or the run that never ends. */
export interface ClusterPart {
  readonly report: ReplayedRun;
  readonly model: RunModel;
  /** By step: when it happened, by the wall clock of its member; null if it was not recorded. */
  readonly times: readonly (number | null)[];
  /** The position that the violation belongs to; null without one. */
  readonly violatedAt: number | null;
}

/** A recording that was replayed to its end. */
export interface RecordedCluster {
  readonly report: RecordingReport;
  readonly parts: readonly ClusterPart[];
}

/** Replays a recording in parts, for a page that must stay responsive. */
export class ClusterReader {
  /** The number of events. */
  readonly total: number;
  /** The number of events that were taken. */
  taken = 0;
  private readonly recording: MergedRecording;
  private readonly replay: RecordingReplay;
  private readonly runs: RecordedPart[] = [];

  /** `algorithmOf` throws for an algorithm that is not in the catalogue. */
  constructor(texts: readonly TraceText[], algorithmOf: (name: string) => AnyAlgorithm) {
    this.recording = mergeRecording(texts);
    this.total = this.recording.events.length;
    const algorithm = algorithmOf(this.recording.begin.algorithm);
    this.replay = new RecordingReplay(algorithm, this.recording, (run) => {
      this.runs.push(new RecordedPart(run));
    });
  }

  /** Takes this number of events; true at the end. */
  advance(events = 500): boolean {
    const end = Math.min(this.total, this.taken + events);
    while (this.taken < end) {
      const event = this.recording.events[this.taken++];
      this.replay.take(event);
      for (const run of this.runs) run.settle(event);
    }
    return this.taken === this.total;
  }

  /** The runs, after the end was reached. Runs without a step are left out. */
  recorded(): RecordedCluster {
    const report = this.replay.report();
    const parts = this.runs.map((run, k) => run.part(report.runs[k])).filter(({ model }) => model.length > 0);
    return { report, parts };
  }
}

/** Records what a replay does in one run. */
class RecordedPart {
  private readonly steps: RunStep[] = [];
  private readonly configurations: Configuration[];
  private readonly events: RecordedEvent[] = [];
  private readonly states: StateReader;
  private readonly initial: readonly TraceEvent[];
  private settled = 0;

  constructor(private readonly run: RunReplay) {
    const { setup, world } = run;
    // The replay has crashed the auxiliary processes, which no member runs, before the run begins.
    const dead = Array.from({ length: setup.topology.n - setup.nodes }, (_, k) => setup.nodes + k);
    world.load({ ...world.save(), steps: 0 });
    this.configurations = [world.save()];
    this.states = new StateReader(world);
    this.initial = [
      ...initialEvents(world),
      ...dead.map((node) => ({ type: 'crash', time: 0, node }) as const),
    ];
    world.onStep = (outcome) => {
      const about = { by: 'schedule', time: this.steps.length + 1, rules: [] } as const;
      this.steps.push(runStepOf(world, outcome, this.states, about));
      this.configurations.push(world.save());
    };
  }

  /** The steps since the last call are those of this event. The replay may have changed what is in flight since. */
  settle(event: RecordedEvent): void {
    if (this.settled === this.steps.length) return;
    while (this.events.length < this.steps.length) this.events.push(event);
    this.settled = this.steps.length;
    this.configurations[this.settled] = this.run.world.save();
  }

  part(report: ReplayedRun): ClusterPart {
    const { configurations, events, initial, run, states, steps } = this;
    const { algorithm, ids, params, underlay } = run.setup;
    const despite = [...ASSUMPTIONS];
    const simulated = new Run(algorithm, {
      ids,
      set: params,
      topology: underlay,
      schedule: 'random',
      despite,
    });
    const history = History.of(
      run.world,
      steps.map(({ step }) => step),
      configurations,
    );
    const found = report.violation ?? report.outside;
    const last = events.findLastIndex((event) => event.file === found?.file && event.line === found.line);
    const violatedAt = found === null ? null : last < 0 ? steps.length : last + 1;
    const shown = steps.map((step, k) =>
      found !== null && k + 1 === violatedAt && last >= 0
        ? { ...step, violation: { property: found.property, text: found.text } }
        : step,
    );
    const recorded = {
      run: simulated,
      history,
      steps: shown,
      states,
      initial,
      violation: null,
      missing: null,
    };
    return {
      report,
      model: new RunModel(recorded),
      times: events.map((event) => (event.entry.type === 'step' ? event.entry.at : null)),
      violatedAt,
    };
  }
}

/** The verdict on a recording in words, and a line for each violation. */
export function recordingVerdict({ algorithm, runs }: RecordingReport): {
  readonly kind: 'holds' | 'violated';
  readonly text: string;
  readonly lines: readonly string[];
} {
  const violations = runs.flatMap(({ violation }) => violation ?? []);
  const outside = runs.flatMap((run) => run.outside ?? []);
  const textOf = ({ property, text, ...place }: RecordedViolation): string =>
    `${placeText(place)}: ${property === 'step' ? '' : `${property}: `}${text}`;
  const lines = [
    ...violations.map(textOf),
    ...outside.map((one) => `Violated outside the assumptions: ${textOf(one)}`),
  ];
  if (violations.length > 0) return { kind: 'violated', text: `This is not a run of ${algorithm}.`, lines };
  const limit = outside.length === 0 ? '' : ' as long as its assumptions do';
  const text = `Every step is one that ${algorithm} may take, and its properties hold${limit}.`;
  return { kind: 'holds', text, lines };
}

/** The name of a part, and how it ended. */
export function partText({ epoch, leader, violation, steps, disagreement }: ReplayedRun): string {
  const name =
    epoch === null
      ? 'all steps'
      : `epoch ${epoch.number} of ${epoch.proposer}: members ${epoch.members.join(', ')}`;
  const end =
    violation !== null
      ? '✗ violation'
      : leader === null
        ? disagreement === null
          ? 'no leader'
          : 'no agreement'
        : `leader ${leader}`;
  return `${name}; ${steps} ${steps === 1 ? 'step' : 'steps'}; ${end}`;
}
