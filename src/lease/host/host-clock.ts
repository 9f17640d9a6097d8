/**
 * The clock that the processes of one host share: the kernel's monotonic one, and the name of the boot that it counts
 * from. It stands still in suspend, for all of them alike.
 *
 * The name is '' where the system has none that is safe: a time since the boot reckoned from the wall clock moves when
 * that is set, and would make leases of this boot look like leases of another.
 */
import { readFileSync, readlinkSync } from 'node:fs';

export interface HostClock {
  /** Two equal names, neither of them '', are one boot of one machine. */
  readonly boot: string;
  monoMs(): number;
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

/** In a time namespace of its own a process sees the same clock with another zero. */
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

/** As the kernel writes it: `pid:[4026531836]`. */
export const pidNamespace = (): string => namespace('pid');

/** The same; '' also where the kernel has no such namespaces. */
export const timeNamespace = (): string => namespace('time');

function namespace(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return '';
  }
}
