/**
 * The keys of a queue in Redis. All begin with the prefix of the URL, 'hustings:' by default, and `queue:`; all except
 * `present` are those of one build. Every key expires: KEEP_MS after its last use at the latest.
 */
import { keysOf } from 'hustings/internal/lease/stores/redis/redis-row';

/** How long the queue keeps a sweep after the last step of its work. */
export const KEEP_MS = 24 * 3_600_000;

/** The election of the coordinator. */
export const ELECTION = 'coordinator';

/** BullMQ's queues: work of this package alone, and work with files of users. */
export const JOB_QUEUES = ['plain', 'files'] as const;
export type JobQueueName = (typeof JOB_QUEUES)[number];

/** The keys of one queue of BullMQ that do not expire by themselves. Jobs are listed by their ids. */
const BULL_KEYS = [
  ...['active', 'wait', 'waiting-children', 'paused', 'id', 'delayed', 'prioritized', 'completed'],
  ...['failed', 'stalled', 'repeat', 'meta', 'events', 'pc', 'marker', 'de'],
];

export class QueueKeys {
  /** Workers and commands of all builds. */
  readonly present: string;
  /** The batches that are not at their end. */
  readonly active: string;
  /** The mark of the coordinator's fencing token. */
  readonly fence: string;
  readonly leasePrefix: string;
  readonly bullPrefix: string;
  private readonly base: string;

  constructor(prefix: string, build: string) {
    this.present = `${prefix}queue:present`;
    this.base = `${prefix}queue:${build}:`;
    this.active = `${this.base}active`;
    this.fence = `${this.base}fence`;
    this.leasePrefix = `${this.base}lease:`;
    this.bullPrefix = `${this.base}jobs`;
  }

  /** Holds the name of the latest batch of this work. */
  latest(work: string): string {
    return `${this.base}latest:${work}`;
  }

  batch(name: string): string {
    return `${this.base}batch:${name}`;
  }

  /** Results that are not merged yet, by the number of their job. */
  results(name: string): string {
    return `${this.base}results:${name}`;
  }

  job(queue: JobQueueName, id: string): string {
    return `${this.bullPrefix}:${queue}:${id}`;
  }

  ofBull(): string[] {
    return JOB_QUEUES.flatMap((queue) => BULL_KEYS.map((key) => `${this.bullPrefix}:${queue}:${key}`));
  }

  /** The keys of the election and of BullMQ, whose owners set no expiry. */
  ofOthers(): string[] {
    const { channel: _, ...lease } = keysOf(this.leasePrefix, ELECTION);
    return [this.active, this.fence, ...Object.values(lease), ...this.ofBull()];
  }
}

/** The id of a job in BullMQ, the same for every coordinator. */
export function jobId(batch: string, job: number): string {
  return `${batch}-${job}`;
}
