/**
 * Ends the process when the work of a term has been overdue for too long: work that hangs would otherwise keep this
 * replica out of the election while everything looks healthy.
 */
import { writeSync } from 'node:fs';
import type { Lead } from '../lead.ts';
import { setLongTimeout } from '../timeouts.ts';
import type { ElectorEvent } from './elector-event.ts';

/** EX_SOFTWARE of sysexits.h: an error within the program. */
export const OVERDUE_EXIT_CODE = 70;

export class OverdueExit {
  private readonly cancels = new Map<Lead, () => void>();

  constructor(private readonly afterMs: number) {}

  take(event: ElectorEvent): void {
    if (event.type === 'overdue') {
      this.cancels.set(
        event.lead,
        setLongTimeout(() => exit(event.lead, this.afterMs), this.afterMs),
      );
    } else if (event.type === 'ended') {
      this.cancels.get(event.lead)?.();
      this.cancels.delete(event.lead);
    }
  }
}

function exit({ term: { name, token } }: Lead, afterMs: number): never {
  // Synchronously: a warning of the process would be lost.
  writeSync(
    2,
    `hustings: '${name}': the work of term ${token} is ${afterMs} ms overdue; exit ${OVERDUE_EXIT_CODE}\n`,
  );
  process.exit(OVERDUE_EXIT_CODE);
}
