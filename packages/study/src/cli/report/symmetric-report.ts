/** The symmetric run of an anonymous algorithm as text: the state of all nodes at each time, the outcome, and the remedies. */

import { formatTable, wrap } from '@hustings/base';
import { pageWidth, type Screen } from '@hustings/base/command/terminal';
import { DEFAULT_NODES } from '../../kernel/driver.ts';
import { type AnyAlgorithm, ElectionError, NONE } from '../../kernel/index.ts';
import {
  AsymmetryError,
  type SimulateOptions,
  type SymmetricOptions,
  type SymmetricRun,
  symmetricRun,
} from '../../simulator/index.ts';
import { handlerLimitMs } from '../user-file/run-watched.ts';
import { watch } from '../user-file/watchdog.ts';
import { paramTexts } from './summary.ts';

/** Longer runs are shown without their middle. */
const MAX_ROWS = 40;
/** Comparing all nodes of a larger ring takes too long. */
const MAX_NODES = 64;

/** Null if the nodes are not symmetric, are too many, or a handler fails, which the simulation then reports. */
export function findSymmetricRun(algorithm: AnyAlgorithm, options: SymmetricOptions): SymmetricRun | null {
  const { nodes = DEFAULT_NODES, set } = options;
  if (algorithm.assumes.ids !== 'anonymous' || nodes > MAX_NODES) return null;
  try {
    const watched = watch(() => symmetricRun(algorithm, { nodes, set }), Math.ceil(handlerLimitMs(nodes)));
    return watched.ended ? watched.value : null;
  } catch (error) {
    if (error instanceof ElectionError) return null;
    if (error instanceof AsymmetryError && error.by !== 'handler') return null;
    throw error;
  }
}

/** True if these options describe the symmetric run. */
export function isSymmetric(options: SimulateOptions): boolean {
  const { initiators = 'all', schedule = 'lockstep', topology = 'ring' } = options;
  const faults = ['crash', 'duplicate', 'loss', 'partition', 'until'] as const;
  const isFaulty = faults.some((each) => options[each] !== undefined);
  return initiators === 'all' && schedule === 'lockstep' && topology === 'ring' && !isFaulty;
}

export function reportSymmetricRun(
  algorithm: AnyAlgorithm,
  run: SymmetricRun,
  { paint, width }: Screen,
): string[] {
  const { title, assumes } = algorithm;
  const page = pageWidth({ width });
  const ring = assumes.network === 'one-way ring' ? 'a one-way ring' : 'a ring';
  const setting = [
    `${run.n} nodes on ${ring}`,
    'lockstep',
    ...paramTexts({ algorithm, nodes: run.n, params: run.params }),
  ];
  return [
    paint('strong', `${title}: ${setting.join(', ')}: the symmetric run`),
    '',
    ...wrap(
      'The nodes have no ids and draw no random numbers, all start together, and the ring looks the same to each of ' +
        'them. So all nodes do the same at the same time. Each line is the state of every node:',
      page,
    ),
    '',
    ...stateTable(run, page),
    '',
    paint('bad', `✗ ${outcomeOf(run)}`),
    '',
    ...wrap(`${claimOf(run)} ${REMEDY}`, page),
  ];
}

/** The conclusion, also for `check`. */
export function claimOf({ n, moments }: SymmetricRun): string {
  const leaders = `0 or ${n} nodes lead`;
  return (
    `The symmetric run of ${n} nodes: all nodes have equal states at each of ${moments.length} compared times, so at ` +
    `every time ${leaders}, and never exactly one.`
  );
}

const REMEDY =
  'Symmetry is broken by ids, as in chang-roberts; by random draws, as in itai-rodeh; or by one different node, such as a ' +
  'single initiator: --initiators 0.';

export function outcomeOf({ end, moments, n, recurs }: SymmetricRun): string {
  const last = moments[moments.length - 1].time;
  switch (end) {
    case 'all lead':
      return `all ${n} nodes lead`;
    case 'all follow':
      return `all ${n} nodes follow, and nobody leads`;
    case 'nobody decides':
      return 'nobody ever decides';
    case 'never ends':
      return `the run never ends: the configuration at time ${last} is that of time ${recurs}`;
    case 'open':
      return `all ${n} nodes still have equal states at time ${last}, where the run was stopped`;
  }
}

function stateTable({ moments }: SymmetricRun, width: number): string[] {
  const rows = moments.map(({ time, state, decision, sends }) => [
    String(time),
    Object.entries(state)
      .map(([name, value]) => `${name}=${value === NONE ? 'none' : value}`)
      .join(' ') || '-',
    decision,
    sends.map(({ message, port }) => `${message} on port ${port}`).join('; ') || '-',
  ]);
  const cut = rows.length - MAX_ROWS;
  const shown =
    cut > 0
      ? [...rows.slice(0, MAX_ROWS / 2), ['…', `${cut} more`, '', ''], ...rows.slice(-MAX_ROWS / 2)]
      : rows;
  return formatTable(['time', 'state of each node', 'decision', 'sends'], shown, width);
}
