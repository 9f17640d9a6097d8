/** The end of the own certificate: the others refuse a member whose certificate has ended, and it sees closed connections only. */
import { InputError } from '@hustings/base';
import { type ClusterSecurity, certificateUntilMs } from '../wire/security.ts';
import type { ClusterNodeStatus } from './node-status.ts';
import { PROCESS_CLOCK } from './process-clock.ts';

/** Time enough to make another one. */
const NOTICE_MS = 14 * 86_400_000;
const PERIOD_MS = 86_400_000;

/** Throws if the certificate of this member has ended. */
export function checkCertificateEnd(id: number, security: ClusterSecurity): void {
  const untilMs = certificateUntilMs(security);
  if (untilMs !== null && untilMs <= PROCESS_CLOCK.wallMs()) throw new InputError(endText(id, untilMs));
}

/** Warns at the start and once in a day, from 14 days before the end. */
export function warnOfCertificateEnd(
  security: ClusterSecurity,
  status: () => ClusterNodeStatus,
  warn: (text: string) => void,
): void {
  const untilMs = certificateUntilMs(security);
  if (untilMs === null) return;
  const look = (): void => {
    const { id, state } = status();
    if (state === 'stopped') clearInterval(timer);
    else if (untilMs - PROCESS_CLOCK.wallMs() < NOTICE_MS) warn(endText(id, untilMs));
  };
  const timer = setInterval(look, PERIOD_MS).unref();
  look();
}

function endText(id: number, untilMs: number): string {
  const ends = untilMs <= PROCESS_CLOCK.wallMs() ? 'ended' : 'ends';
  return `the certificate of member ${id} ${ends} at ${new Date(untilMs).toISOString()}: give the member another one, and start it again`;
}
