/** The symmetric run for people: what all nodes are at each moment, what becomes of them, and what would tell them apart. */
import { DEFAULT_NODES } from '../../kernel/driver.ts';
import { type AnyAlgorithm, ElectionError, NONE } from '../../kernel/index.ts';
import {
  AsymmetryError,
  type SimulateOptions,
  type SymmetricOptions,
  type SymmetricRun,
  symmetricRun,
} from '../../simulator/index.ts';
import { formatTable, wrap } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { handlerLimitMs } from '../user-file/run-watched.ts';
import { watch } from '../user-file/watchdog.ts';

const PAGE_WIDTH = 100;
/** Of longer runs the beginning is shown, and the end. */
const MOST_ROWS = 40;
/** More would take longer to compare than to believe. */
const MOST_NODES = 64;

/** Null where something tells the nodes apart, where they are too many, or where a handler fails, which its run will tell. */
export function findSymmetricRun(algorithm: AnyAlgorithm, options: SymmetricOptions): SymmetricRun | null {
  const { nodes = DEFAULT_NODES, set } = options;
  if (algorithm.assumes.ids !== 'anonymous' || nodes > MOST_NODES) return null;
  try {
    const watched = watch(() => symmetricRun(algorithm, { nodes, set }), Math.ceil(handlerLimitMs(nodes)));
    return watched.ended ? watched.value : null;
  } catch (error) {
    if (error instanceof ElectionError) return null;
    if (error instanceof AsymmetryError && error.by !== 'handler') return null;
    throw error;
  }
}

/** Is this run, as it was asked for, the symmetric one? */
export function isSymmetric(options: SimulateOptions): boolean {
  const {
    crash,
    duplicate,
    initiators = 'all',
    loss,
    partition,
    schedule = 'lockstep',
    topology = 'ring',
    until,
  } = options;
  const isFaulty = [crash, duplicate, loss, partition, until].some((each) => each !== undefined);
  return initiators === 'all' && schedule === 'lockstep' && topology === 'ring' && !isFaulty;
}

export function reportSymmetricRun(
  { title, assumes }: AnyAlgorithm,
  run: SymmetricRun,
  { paint, width }: Screen,
): string[] {
  const page = Math.min(width, PAGE_WIDTH);
  const ring = assumes.network === 'one-way ring' ? 'a one-way ring' : 'a ring';
  return [
    paint('strong', `${title}: ${run.n} nodes on ${ring}, lockstep: the symmetric run`),
    '',
    ...wrap(
      'The nodes have no ids and draw no lots, all start together, and the ring looks the same to each of them. So ' +
        'whatever one does, all do at the same moment. Every line is what each node is, all of them alike:',
      page,
    ),
    '',
    ...momentTable(run, page),
    '',
    paint('bad', `✗ ${fateOf(run)}`),
    '',
    ...wrap(`${claimOf(run)} ${REMEDY}`, page),
  ];
}

/** What was shown, for `check`. */
export function claimOf({ n, moments }: SymmetricRun): string {
  const leaders = `0 or ${n} nodes lead`;
  return (
    `The symmetric run of ${n} nodes: all nodes were compared at ${moments.length} moments and are alike at each of ` +
    `them, so that at every moment ${leaders}, and never exactly one.`
  );
}

const REMEDY =
  'What would break the symmetry: ids, as in chang-roberts; random draws, as in itai-rodeh; or a node that is not like ' +
  'the others, such as one that starts alone: --initiators 0.';

export function fateOf({ end, moments, n, recurs }: SymmetricRun): string {
  const last = moments[moments.length - 1].time;
  switch (end) {
    case 'all lead':
      return `all ${n} nodes lead`;
    case 'all follow':
      return `all ${n} nodes follow, and nobody leads`;
    case 'nobody decides':
      return 'nobody ever decides';
    case 'for ever':
      return `it goes on for ever: at time ${last} all is as it was at time ${recurs}`;
    case 'open':
      return `all ${n} nodes are still alike at time ${last}, where the run was left`;
  }
}

function momentTable({ moments }: SymmetricRun, width: number): string[] {
  const rows = moments.map(({ time, state, decision, sends }) => [
    String(time),
    Object.entries(state)
      .map(([name, value]) => `${name}=${value === NONE ? 'none' : value}`)
      .join(' ') || '-',
    decision,
    sends.map(({ message, port }) => `${message} on port ${port}`).join('; ') || '-',
  ]);
  const cut = rows.length - MOST_ROWS;
  const shown =
    cut > 0
      ? [...rows.slice(0, MOST_ROWS / 2), ['…', `${cut} more`, '', ''], ...rows.slice(-MOST_ROWS / 2)]
      : rows;
  return formatTable(
    ['time', 'state of each node', 'is', 'sends'].map((title) => ({ title })),
    shown,
    width,
  );
}
