/** The line with which the recording of a start begins. */
import type { TraceLine } from '../record/trace-line.ts';
import type { ModeHost } from './election-mode.ts';

/**
 * `durable` are the durable fields with which it starts; null if this member has never run. `after` are the causes of steps that
 * the process before it may not have recorded.
 */
export function beginLine(
  {
    hasForgotten,
    list,
    members,
    options,
    stamp,
    unitMs,
  }: Pick<ModeHost, 'hasForgotten' | 'list' | 'members' | 'options' | 'stamp' | 'unitMs'>,
  durable: Readonly<Record<string, unknown>> | null,
  after?: readonly string[],
): TraceLine {
  const { algorithm, cluster, edges = null, incarnation, self: id, set: params = {} } = options;
  const name = list && { list: { version: list.number, origin: list.proposer, stamp } };
  const setup = { algorithm: algorithm.name, params, members, ...name, edges, unitMs };
  return {
    ...{ type: 'begin', cluster, id, incarnation, ...setup, recovered: durable !== null, durable },
    ...(hasForgotten && { hasForgotten }),
    ...(after !== undefined && { after }),
  };
}
