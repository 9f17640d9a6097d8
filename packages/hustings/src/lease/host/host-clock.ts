/**
 * The clock that all processes of one host share: the monotonic clock of the kernel, and the id of the boot from which it
 * counts. It stops while the machine sleeps, for all processes alike.
 *
 * The boot id is '' if the system has no safe one. A boot time that is computed from the wall clock would move whenever that
 * clock is set, and leases of this boot would look like leases of another.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** The monotonic clock of a host and the wall clock. */
export interface HostClock {
  /** Equal ids other than '' mean the same boot of the same machine. */
  readonly boot: string;
  /** Milliseconds since boot. */
  monoMs(): number;
  /** Milliseconds since 1970. */
  wallMs(): number;
}

export function hostClock(): HostClock {
  const offsetNs = namespaceOffsetNs();
  return {
    boot: bootName(),
    monoMs: () => Number((process.hrtime.bigint() - offsetNs) / 1_000_000n),
    wallMs: () => Date.now(),
  };
}

/** A process in its own time namespace sees the same clock with another zero. */
function namespaceOffsetNs(): bigint {
  try {
    const text = readFileSync('/proc/self/timens_offsets', 'latin1');
    const [, seconds, nanoseconds] = /^monotonic\s+(-?\d+)\s+(-?\d+)/m.exec(text)!;
    return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  } catch {
    return 0n;
  }
}

export function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

/** In the notation of the kernel: `pid:[4026531836]`. */
export const pidNamespace = (): string => namespace('pid');

/** '' if the kernel has no time namespaces. */
export const timeNamespace = (): string => namespace('time');

function namespace(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return '';
  }
}
