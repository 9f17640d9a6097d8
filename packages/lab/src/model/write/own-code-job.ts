/** The work of the sandbox: one run, searches of small networks, and the first counterexample as data. */
import { type CheckViolation, checkInSlices, planCheck } from '@hustings/study/checker';
import { narrateStep, type Step } from '@hustings/study/driver';
import { purposesOf } from '@hustings/study/internal/drawing/trace/purpose';
import { type AnyAlgorithm, formatFields, HustingsError, InputError } from '@hustings/study/kernel';
import { Run } from '@hustings/study/simulator';
import { foundModel } from '../check/found-run.ts';
import { verdictOf } from '../check/verdict.ts';
import { ANY_HANDLER, type OwnCodeReply, type OwnCodeRequest, shortText, type Trail } from './own-code.ts';

/** The nodes of the run, which samples one schedule. */
const RUN_NODES = 8;
/** A larger search is for the command line. */
const MAX_STATES = 300_000;
/** The page expects to hear of a search that runs. */
const REPORT_MS = 150;
const RUN_STRIDE = 1000;
const MAX_RUN_EVENTS = 200_000;

/** Calls that are reported one by one. The frame ends a worker that sends many more messages. */
const MAX_ENTERED = 10_000;

export interface LoadedCode {
  readonly plain: AnyAlgorithm;
  readonly probed: AnyAlgorithm;
  /** Forgets the lines that were run, and returns them. */
  readonly takeLines: () => number[];
  /** The line of the source at which an error was thrown; null if it is unknown. */
  readonly lineOf: (error: unknown) => number | null;
}

/** Answers a request with `tell`. */
export function doOwnCode(
  { isDiagnosis, upTo }: OwnCodeRequest,
  { lineOf, plain, probed, takeLines }: LoadedCode,
  tell: (reply: OwnCodeReply) => void,
  clock: () => number,
): void {
  let reportedMs = clock();
  let calls = 0;
  const alive = (states = 0): void => {
    const now = clock();
    if (now - reportedMs < REPORT_MS) return;
    reportedMs = now;
    tell({ type: 'alive', states });
  };
  const algorithm = withCalls(plain, (handler) => {
    calls++;
    if (isDiagnosis && calls <= MAX_ENTERED)
      tell({ type: 'enter', handler: calls < MAX_ENTERED ? handler : ANY_HANDLER });
    else alive();
  });
  const fail = (stage: 'run' | 'check', error: unknown): void =>
    tell({ type: 'failed', stage, text: shortText(textOf(error)), line: lineOf(error) });
  try {
    const run = new Run(algorithm, { nodes: RUN_NODES, stepLimit: MAX_RUN_EVENTS });
    while (!run.advance(RUN_STRIDE)) alive();
    const { leader, messages } = run.outcome();
    tell({
      ...{ type: 'ran', name: shortText(plain.name), title: shortText(plain.title) },
      ...{ network: plain.assumes.network, n: RUN_NODES, messages: messages.total },
      leader: leader === null ? null : leader.id === null ? `node ${leader.position}` : `id ${leader.id}`,
    });
  } catch (error) {
    fail('run', error);
    // A wrong definition is as wrong for the search. What a handler does wrong, the search shows step by step.
    if (error instanceof InputError) {
      tell({ type: 'done' });
      return;
    }
  }
  for (let n = 2; n <= upTo; n++) {
    try {
      if (!search(n)) break;
    } catch (error) {
      if (!(error instanceof InputError)) {
        fail('check', error);
        break;
      }
      tell({ type: 'skipped', n, text: shortText(error.message) });
    }
  }
  tell({ type: 'done' });

  /** False if a larger network has nothing to add: after a violation, or at the limit of states. */
  function search(n: number): boolean {
    const startMs = clock();
    const options = {
      nodes: n,
      orders: plain.assumes.ids === 'unique' ? ('all' as const) : ('one' as const),
      stateLimit: MAX_STATES,
      onProgress: (states: number) => alive(states),
    };
    const slices = checkInSlices(planCheck(algorithm, options));
    let slice = slices.next();
    while (slice.done !== true) {
      alive();
      slice = slices.next();
    }
    const result = slice.value;
    const { kind, text } = verdictOf(result);
    const [violation] = result.violations;
    tell({
      ...{ type: 'checked', n, states: result.states, transitions: result.transitions },
      ...{ ms: clock() - startMs, kind, text: shortText(text) },
      trail: violation === undefined ? null : trailOf(n, violation),
    });
    return violation === undefined && result.stopped === null;
  }

  function trailOf(n: number, violation: CheckViolation): Trail {
    const { property, text } = violation;
    const setup = { algorithm: probed.name, nodes: n };
    const model = foundModel(setup, violation, property, probed);
    const steps: Trail['steps'][number][] = [];
    const taken = model.steps;
    model.seek(0);
    const trace = model.trace();
    taken.forEach(({ events, step, violation: broken }, k) => {
      const lines = linesOf(step);
      model.seek(k + 1);
      const { messages, nodes } = model.snapshot();
      steps.push({
        text: shortText(
          narrateStep(
            step,
            events.filter(({ type }) => type !== 'state'),
            model.ids,
          ),
        ),
        lines,
        nodes: nodes.map(({ isDead, role, state }) => ({
          role: isDead ? 'crashed' : role,
          state: shortText(formatFields(state)),
        })),
        messages: messages.map(({ from, text: message, to }) =>
          shortText(`${message} from ${from} to ${to}`),
        ),
        events: trace.eventsBefore(k + 1),
        violation: broken === null ? null : shortText(broken.text),
      });
    });
    const all = trace.events('steps');
    // States are told by each step.
    const kept = all.map((event, index) => ({ event, index })).filter(({ event }) => event.type !== 'state');
    return {
      property: shortText(property),
      text: shortText(text),
      network: plain.assumes.network,
      ids: model.ids === null ? null : [...model.ids],
      n: model.plan.topology.n,
      ...purposesOf(probed),
      events: kept.map(({ event }) => event),
      steps: steps.map((step) => ({
        ...step,
        events: kept.filter(({ index }) => index < step.events).length,
      })),
    };

    /** Takes the next step, and takes it back. */
    function linesOf(step: Step): number[] {
      const before = model.world.save();
      takeLines();
      model.world.apply(step);
      const lines = takeLines();
      model.world.load(before);
      return lines;
    }
  }
}

type Handler = (...given: unknown[]) => unknown;

/** A copy of the algorithm that says which handler is called. */
function withCalls(algorithm: AnyAlgorithm, onCall: (name: string) => void): AnyAlgorithm {
  const copy = (record: object): object =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'function'
          ? (...given: unknown[]) => {
              onCall(name);
              return (value as Handler).apply(algorithm, given);
            }
          : value,
      ]),
    );
  return { ...copy(algorithm), on: copy(algorithm.on) } as AnyAlgorithm;
}

function textOf(error: unknown): string {
  if (error instanceof HustingsError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
