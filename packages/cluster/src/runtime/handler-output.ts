/** What leaves a member after a handler: its messages as frames, each with a name, and the line of the recording. */

import { formatStep } from '@hustings/study/driver';
import { formatMessage } from '@hustings/study/kernel';
import { recordedStanding, type TraceLine, type VectorClock } from '../record/trace-line.ts';
import type { Epoch } from '../view/clique.ts';
import type { AddressedFrame } from './election-mode.ts';
import type { ElectionRun, HandlerEffects, SentMessage } from './election-run.ts';

export interface HandlerOutput {
  readonly frames: readonly AddressedFrame[];
  /** Null without a recording. */
  readonly line: TraceLine | null;
  /** The messages for no other member. */
  readonly local: readonly SentMessage[];
}

export interface OutputOptions {
  readonly epoch: Epoch | null;
  /** Why the handler ran: the message, as its sender named it. */
  readonly cause: string | undefined;
  /** Null without a recording. */
  readonly recorded: { readonly clock: VectorClock; readonly atMs: number } | null;
  /** A name that no other message has. */
  nextKey(): string;
}

export function handlerOutput(
  run: ElectionRun,
  effects: HandlerEffects,
  { cause, epoch, nextKey, recorded }: OutputOptions,
): HandlerOutput {
  const { ids } = run.setup;
  const named = effects.sent.map((sent) => ({ sent, key: nextKey() }));
  const epochName = { epoch: epoch?.number ?? 0, proposer: epoch?.proposer ?? 0 };
  const isLocal = ({ to }: SentMessage): boolean => to === run.at || to >= ids.length;
  const clock = recorded === null ? {} : { clock: recorded.clock };
  const frames = named
    .filter(({ sent }) => !isLocal(sent))
    .map(({ key, sent: { message, port, to } }) => ({
      to: ids[to],
      frame: { type: 'message', ...epochName, port, key, ...clock, body: message } as const,
    }));
  const line: TraceLine | null = recorded && {
    type: 'step',
    ...epochName,
    step: formatStep(effects.step),
    ...(cause !== undefined && { of: cause }),
    clock: recorded.clock,
    at: recorded.atMs,
    sent: named.map(({ key, sent }) => ({
      to: ids[sent.to] ?? null,
      message: formatMessage(sent.message),
      key,
    })),
    ...(effects.decision !== null && { decided: effects.decision }),
    ...(effects.standing !== null && { standing: recordedStanding(effects.standing) }),
  };
  return { frames, line, local: effects.sent.filter(isLocal) };
}
