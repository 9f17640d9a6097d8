/**
 * Replays the recordings of a cluster: each epoch is a run of its own, or there is one run that never ends for each member list.
 * A member that changes its list crashes in one run, and recovers in the other with its durable fields.
 */
import { type AnyAlgorithm, InputError } from '@hustings/study/kernel';
import { compareEpochs, type Epoch, isSameEpoch } from '../view/clique.ts';
import { isEndless, overlaySetup } from '../view/overlay.ts';
import type { MergedRecording, RecordedEvent } from './merge.ts';
import { isStepEvent } from './merge.ts';
import type { BeginLine } from './parse-trace.ts';
import { RunReplay } from './run-replay.ts';
import type { RecordingReport } from './run-report.ts';

/** Replays a merged recording of this algorithm. */
export function replayRecording(algorithm: AnyAlgorithm, recording: MergedRecording): RecordingReport {
  const replay = new RecordingReplay(algorithm, recording);
  for (const event of recording.events) replay.take(event);
  return replay.report();
}

/** Those of all lists, ascending. */
function membersOf(events: readonly RecordedEvent[]): number[] {
  const ids = events.flatMap(({ entry }) => (entry.type === 'begin' ? entry.members : []));
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** A replay that takes one event of the recording after another, for drivers that watch it or stay responsive. */
export class RecordingReplay {
  private readonly runs = new Map<string, { readonly epoch: Epoch | null; readonly run: RunReplay }>();
  /** The epoch of each member, and the largest that it has entered. */
  private readonly epochs = new Map<number, Epoch | null>();
  private readonly entered = new Map<number, Epoch>();
  /** In a recording without epochs: the run of each member, and the leader of each term over all runs. */
  private readonly endless = new Map<number, RunReplay>();
  private readonly leaders = new Map<number, { readonly id: number; readonly run: RunReplay }>();
  /** The list that the leader of a term has proposed. */
  private readonly proposed = new Map<number, string>();
  private readonly noticed: ReadonlySet<string>;
  private readonly hasForgetful: boolean;
  /** The last event of each process, by incarnation, and the present process of each member. */
  private readonly lastOf = new Map<string, RecordedEvent>();
  private readonly present = new Map<number, string>();
  private readonly over = new Set<string>();

  constructor(
    private readonly algorithm: AnyAlgorithm,
    private readonly recording: MergedRecording,
    /** Called with each run before its first step. */
    private readonly onRun: (run: RunReplay) => void = () => {},
  ) {
    const { begin } = recording;
    if (begin.algorithm !== algorithm.name)
      throw new InputError(`the recording is of algorithm ${begin.algorithm}, not ${algorithm.name}`);
    this.noticed = new Set(
      recording.events.flatMap((event) =>
        isStepEvent(event) && event.entry.step.startsWith('notice ') ? [event.entry.of ?? ''] : [],
      ),
    );
    this.hasForgetful = recording.events.some(({ entry }) => entry.type === 'begin' && entry.hasForgotten);
    for (const event of recording.events) {
      if (event.entry.type !== 'crash') this.lastOf.set(processOf(event), event);
    }
  }

  take(event: RecordedEvent): void {
    const { entry, id } = event;
    const endless = this.endless.get(id);
    this.present.set(id, processOf(event));
    if (this.lastOf.get(processOf(event)) === event) this.over.add(processOf(event));
    if (entry.type === 'begin') {
      this.epochs.set(id, null);
      if (entry.hasForgotten) this.entered.delete(id);
      if (isEndless(this.algorithm)) this.begin(event, entry);
    } else if (entry.type === 'crash') endless?.crash(event, entry.next);
    else if (entry.type === 'epoch') this.enter(event, entry);
    else if (isStepEvent(event)) {
      const named = this.runs.get(`${entry.epoch} ${entry.proposer}`);
      const isPresent =
        endless === undefined
          ? isSameEpoch(named?.epoch ?? null, this.epochs.get(id) ?? null)
          : named?.run === endless;
      if (named === undefined)
        this.refuse(event, `its epoch ${entry.epoch} of ${entry.proposer} was not recorded`);
      else if (!isPresent)
        named.run.refuse(event, `member ${id} is not in epoch ${entry.epoch} of ${entry.proposer}`);
      else {
        named.run.take(event);
        if (endless !== undefined) this.noteLeader(event, named.run);
      }
    }
  }

  /** A process begins in the run of its list. */
  private begin(event: RecordedEvent, entry: BeginLine): void {
    const { list: { origin, version } = { version: 0, origin: 0 }, members, unitMs } = entry;
    const before = this.endless.get(event.id);
    const run = this.open({ number: version, proposer: origin, members }, unitMs);
    if (run === null) return;
    this.endless.set(event.id, run);
    // A leader proposes one list in its term. Lists of member files were compared before.
    const list = `version ${version} of ${members.join(', ')}`;
    const known = this.proposed.get(origin) ?? list;
    this.proposed.set(origin, known);
    if (origin > 0 && known !== list)
      run.refuse(event, `the leader of term ${origin} proposed ${known}; member ${event.id} has ${list}`);
    else if ((before !== run || entry.hasForgotten) && entry.durable !== null)
      run.beginWith(event, entry.durable);
  }

  /** The runs of two lists share their terms. Each run judges its own leaders, and knows which assumptions were broken. */
  private noteLeader(event: RecordedEvent, run: RunReplay): void {
    const { entry, id } = event;
    if (entry.type !== 'step' || entry.decided?.role !== 'leader') return;
    const { term } = entry.decided;
    const other = this.leaders.get(term) ?? { id, run };
    if (other.id !== id && other.run !== run)
      run.refuse(event, `members ${other.id} and ${id} both lead term ${term}`, 'uniqueness');
    this.leaders.set(term, { id, run });
  }

  /** What was found so far. */
  report(): RecordingReport {
    const { begin, events } = this.recording;
    return {
      cluster: begin.cluster,
      algorithm: this.algorithm.name,
      members: membersOf(events),
      incarnations: events.filter(({ entry }) => entry.type === 'begin').length,
      steps: events.filter(isStepEvent).length,
      runs: [...this.runs.values()].map(({ run }) => run.report()),
    };
  }

  private enter(event: RecordedEvent, { members, number, proposer }: Epoch): void {
    const { id } = event;
    const epoch = { number, proposer, members };
    const run = this.open(epoch);
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
  private open(epoch: Epoch, unitMs = this.recording.begin.unitMs): RunReplay | null {
    const known = this.runs.get(nameOf(epoch));
    if (known !== undefined) return known.run;
    const { begin, deliveries, sends } = this.recording;
    const { members, number: version } = epoch;
    const setup = overlaySetup(this.algorithm, members, begin.params, begin.edges);
    if (setup === null) return null;
    const isLiving = (id: number): boolean => {
      const process = this.present.get(id);
      return process !== undefined && !this.over.has(process);
    };
    const hasEpochs = !isEndless(this.algorithm);
    const list = hasEpochs ? null : { version, members };
    const { hasForgetful, noticed } = this;
    const facts = { sends, deliveries, noticed, unitMs, hasForgetful, list, isLiving };
    const run = new RunReplay(setup, hasEpochs ? epoch : null, facts);
    this.runs.set(nameOf(epoch), { epoch, run });
    this.onRun(run);
    return run;
  }

  private refuse(event: RecordedEvent, text: string): void {
    const [first] = this.runs.values();
    if (first === undefined) throw new InputError(`${event.file}, line ${event.line}: ${text}`);
    first.run.refuse(event, text);
  }
}

function nameOf({ number, proposer }: Epoch): string {
  return `${number} ${proposer}`;
}

function processOf({ id, incarnation }: RecordedEvent): string {
  return `${id}.${incarnation}`;
}
