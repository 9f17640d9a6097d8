/** The phases before a term: waiting, acquiring and withdrawing. */
import type { AcquireAnswer } from './calls.ts';
import type { Acquiring, Waiting, Withdrawing } from './candidate-state.ts';
import { earlier } from './clock-reading.ts';
import type { CoreStep } from './core-step.ts';
import { lead, releaseUnused } from './holding.ts';
import type { Input } from './lease-event.ts';
import type { PendingCall } from './pending-call.ts';
import { newTerm } from './term-state.ts';
import { acquireRequest, backOffMs, delayMs, maxSpreadMs, observe, TURN_DELAY_MS } from './waiting.ts';

type Campaigning = Waiting | Acquiring | Withdrawing;

export function sendAcquire(step: CoreStep, { errors, observed }: Waiting): void {
  const request = acquireRequest(step.options, step.nonce, observed, step.now);
  const current = step.newCall('acquire');
  step.become({ type: 'acquiring', current, errors, observed });
  step.outputs.push({ type: 'acquire', call: current.call, request });
}

/** The pending request has no answer. */
export function acquireFailed(step: CoreStep, phase: Acquiring | Withdrawing): void {
  if (phase.type === 'withdrawing') {
    step.stop();
    return;
  }
  const errors = phase.errors + 1;
  const delay = 1 + step.draw(backOffMs(errors, step.options.timing));
  step.wait(step.now.monoMs + delay, errors, phase.observed);
}

/** `isCurrent`: the answer is to the pending request, not to one that timed out. */
export function takeAcquireAnswer(
  step: CoreStep,
  phase: Campaigning,
  { answer, pushing }: Input & { readonly type: 'acquire-answer' },
  call: PendingCall,
  isCurrent: boolean,
): void {
  const { now } = step;
  if (answer.type === 'held') {
    if (!isCurrent) return;
    if (phase.type === 'withdrawing') step.stop();
    else waitForHolder(step, phase, answer, pushing);
    return;
  }
  const granted = earlier(step.rules.grantedAt(call, now), answer.ageMs ?? 0);
  const term = newTerm(answer.token, granted, now);
  const isUseful = step.rules.remaining(term.granted, step.options.timing.stopAfterMs, now) > 0;
  if (phase.type === 'withdrawing') {
    if (isUseful) releaseUnused(step, term);
    else step.stop();
  } else if (isUseful) lead(step, term, call.sent, answer.checkpoint);
  // Too late to be of use: the same nonce asks again, for a lease with its whole TTL.
  else if (isCurrent) step.wait(now.monoMs, phase.errors, phase.observed);
}

function waitForHolder(
  step: CoreStep,
  phase: Campaigning,
  { record, ahead }: AcquireAnswer & { readonly type: 'held' },
  pushing: boolean,
): void {
  const { now, options } = step;
  step.outputs.push({ type: 'waiting', record, ahead: ahead ?? null });
  const observed = observe(phase.observed, record, step.rules.ttlToWait(record), now);
  const spreadMs = step.draw(maxSpreadMs(options.timing));
  const waitMs =
    ahead === undefined ? delayMs(record, observed, options, { pushing, spreadMs }, now) : TURN_DELAY_MS;
  step.wait(now.monoMs + waitMs, 0, observed);
}

/** The holder with this nonce has provably ended. */
export function takeGone(step: CoreStep, phase: Campaigning, nonce: string): void {
  if (phase.observed?.nonce !== nonce) return;
  const observed = { ...phase.observed, gone: true };
  if (phase.type === 'waiting') step.wait(step.now.monoMs, phase.errors, observed);
  else {
    step.become({ ...phase, observed });
    // The pending request does not carry the proof.
    step.memory.notified = true;
  }
}
