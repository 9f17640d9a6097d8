/** Replays the recordings of a cluster: each epoch is a run of its own, or there is one run that never ends. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { compareEpochs, type Epoch, isSameEpoch } from '../view/clique.ts';
import { isEndless, overlaySetup } from '../view/overlay.ts';
import type { MergedRecording, RecordedEvent } from './merge.ts';
import { isStepEvent } from './merge.ts';
import { RunReplay } from './run-replay.ts';
import type { RecordingReport, ReplayedRun } from './run-report.ts';

/** Replays a merged recording of this algorithm. */
export function replayRecording(algorithm: AnyAlgorithm, recording: MergedRecording): RecordingReport {
  const { begin, events } = recording;
  if (begin.algorithm !== algorithm.name)
    throw new InputError(`the recording is of algorithm ${begin.algorithm}, not ${algorithm.name}`);
  const replay = new RecordingReplay(algorithm, recording);
  for (const event of events) replay.take(event);
  return {
    cluster: begin.cluster,
    algorithm: algorithm.name,
    members: begin.members,
    incarnations: events.filter(({ entry }) => entry.type === 'begin').length,
    steps: events.filter(isStepEvent).length,
    runs: replay.reports(),
  };
}

class RecordingReplay {
  private readonly runs = new Map<string, { readonly epoch: Epoch | null; readonly run: RunReplay }>();
  /** The epoch of each member, and the largest that it has entered. */
  private readonly epochs = new Map<number, Epoch | null>();
  private readonly entered = new Map<number, Epoch>();
  private readonly known = new Set<number>();
  private readonly noticed: ReadonlySet<string>;
  /** The last event of each process, by incarnation, and the present process of each member. */
  private readonly lastOf = new Map<string, RecordedEvent>();
  private readonly present = new Map<number, string>();
  private readonly over = new Set<string>();

  constructor(
    private readonly algorithm: AnyAlgorithm,
    private readonly recording: MergedRecording,
  ) {
    this.noticed = new Set(
      recording.events.flatMap((event) =>
        isStepEvent(event) && event.entry.step.startsWith('notice ') ? [event.entry.of ?? ''] : [],
      ),
    );
    for (const event of recording.events) {
      if (event.entry.type !== 'crash') this.lastOf.set(processOf(event), event);
    }
    if (isEndless(algorithm)) this.open(null, recording.begin.members);
  }

  take(event: RecordedEvent): void {
    const { entry, id } = event;
    const endless = this.runs.get(nameOf(null))?.run ?? null;
    this.present.set(id, processOf(event));
    if (this.lastOf.get(processOf(event)) === event) this.over.add(processOf(event));
    if (entry.type === 'begin') {
      this.epochs.set(id, null);
      if (!this.known.has(id) && entry.durable !== null) endless?.beginWith(event, entry.durable);
      this.known.add(id);
    } else if (entry.type === 'crash') endless?.crash(event, entry.next);
    else if (entry.type === 'epoch') this.enter(event, entry);
    else if (isStepEvent(event)) {
      const epoch = this.epochs.get(id) ?? null;
      const named = entry.epoch === 0 ? null : this.runs.get(`${entry.epoch} ${entry.proposer}`);
      const run = entry.epoch === 0 ? endless : (named?.run ?? null);
      const isPresent = entry.epoch === 0 || isSameEpoch(named?.epoch ?? null, epoch);
      if (run === null) this.refuse(event, `its epoch ${entry.epoch} of ${entry.proposer} was not recorded`);
      else if (!isPresent)
        run.refuse(event, `member ${id} is not in epoch ${entry.epoch} of ${entry.proposer}`);
      else run.take(event);
    }
  }

  reports(): ReplayedRun[] {
    return [...this.runs.values()].map(({ run }) => run.report());
  }

  private enter(event: RecordedEvent, { members, number, proposer }: Epoch): void {
    const { id } = event;
    const epoch = { number, proposer, members };
    const run = this.open(epoch, members);
    this.epochs.set(id, epoch);
    if (run === null) return;
    const before = this.entered.get(id);
    if (!members.includes(id))
      run.refuse(event, `member ${id} entered an epoch of others: ${members.join(', ')}`);
    if (before !== undefined && compareEpochs(before, epoch) >= 0)
      run.refuse(
        event,
        `member ${id} entered epoch ${before.number} of ${before.proposer} before, and went back`,
      );
    const known = this.runs.get(nameOf(epoch))?.epoch?.members ?? members;
    if (known.join() !== members.join())
      run.refuse(event, `another member has this epoch with other members: ${known.join(', ')}`);
    this.entered.set(id, epoch);
  }

  /** Null if the edges do not connect the members: then nobody takes a step. */
  private open(epoch: Epoch | null, members: readonly number[]): RunReplay | null {
    const known = this.runs.get(nameOf(epoch));
    if (known !== undefined) return known.run;
    const { begin, deliveries, sends } = this.recording;
    const setup = overlaySetup(this.algorithm, members, begin.params, begin.edges);
    if (setup === null) return null;
    const isLiving = (id: number): boolean => {
      const process = this.present.get(id);
      return process !== undefined && !this.over.has(process);
    };
    const facts = { sends, deliveries, noticed: this.noticed, unitMs: begin.unitMs, isLiving };
    const run = new RunReplay(setup, epoch, facts);
    this.runs.set(nameOf(epoch), { epoch, run });
    return run;
  }

  private refuse(event: RecordedEvent, text: string): void {
    const [first] = this.runs.values();
    if (first === undefined) throw new InputError(`${event.file}, line ${event.line}: ${text}`);
    first.run.refuse(event, text);
  }
}

function nameOf(epoch: Epoch | null): string {
  return epoch === null ? 'endless' : `${epoch.number} ${epoch.proposer}`;
}

function processOf({ id, incarnation }: RecordedEvent): string {
  return `${id}.${incarnation}`;
}
