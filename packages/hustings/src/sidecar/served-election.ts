/** One election of the sidecar: its elector, and the campaigns of the service, of which one at a time is under way. */

import { HustingsError } from '@hustings/base';
import { createElector } from '../elector/create-elector.ts';
import type { Elector } from '../elector/elector.ts';
import type { ElectorHealth } from '../elector/elector-health.ts';
import type { ElectorCommonOptions } from '../elector/elector-options.ts';
import type { LogEntry } from '../elector/events/elector-logger.ts';
import type { KnownLeaderView } from '../elector/leader-view.ts';
import { type LeaseTiming, resolveTiming } from '../lease/core/timing.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { Campaign, type ProofOfLife, stallAfterMs, type TermObserver } from './campaign.ts';

/** The election has a campaign already. */
export class CampaignUnderWayError extends HustingsError {
  constructor(name: string) {
    super(
      `a campaign for '${name}' is under way; release it, or try again when its service has shown no life`,
      {
        code: 'HUSTINGS_CAMPAIGN_UNDER_WAY',
      },
    );
  }
}

/** All that the sidecar knows of work that is overdue. A restart of the sidecar would not help. */
const OVERDUE = 'the service has not reported that its work has stopped, and its deadline has passed';

/** How many campaigns that are over can still be asked why. */
const MAX_ENDED = 16;

export class ServedElection {
  readonly elector: Elector;
  readonly timing: LeaseTiming;
  /** In the order of their beginning. */
  #campaigns: readonly Campaign[] = [];
  #reading: Promise<KnownLeaderView> | null = null;

  constructor(
    options: Omit<ElectorCommonOptions, 'onEvent' | 'logger' | 'processProof' | 'stallAfterMs'> & {
      readonly store: LeaseStore | string;
      readonly name: string;
    },
    log: (entry: LogEntry) => void,
    private readonly observers: readonly TermObserver[],
  ) {
    const { ttlMs } = resolveTiming(options);
    this.timing = resolveTiming({ ...options, stallAfterMs: stallAfterMs(ttlMs) });
    this.elector = createElector({
      ...options,
      stallAfterMs: this.timing.stallAfterMs,
      // The death of the sidecar does not prove that the service has stopped: a successor waits for the end of the lease.
      processProof: '',
      logger: (entry) => {
        const isOverdue = entry.fields.event === 'overdue';
        log(isOverdue ? { ...entry, message: `hustings: '${options.name}': ${OVERDUE}` } : entry);
      },
      onEvent: (event) => {
        for (const campaign of this.#campaigns) campaign.take(event);
      },
    });
  }

  /** Whether a campaign may work now, by the clocks. A new campaign may wait while the lease of the previous one is valid. */
  get leads(): boolean {
    return this.#campaigns.some(({ leads }) => leads);
  }

  /** The campaigns that are not over. */
  get open(): readonly Campaign[] {
    return this.#campaigns.filter(({ state }) => state !== 'ended');
  }

  /** Throws a `CampaignUnderWayError` while the service of a campaign shows life, and has not reported its end. */
  campaign(proof: ProofOfLife): Campaign {
    if (this.#campaigns.some(({ isUnderWay }) => isUnderWay))
      throw new CampaignUnderWayError(this.elector.name);
    const campaign = new Campaign(this.elector, this.timing, proof, this.observers);
    const ended = this.#campaigns.filter(({ state }) => state === 'ended').slice(-MAX_ENDED);
    this.#campaigns = [...this.open, ...ended, campaign];
    return campaign;
  }

  find(id: string): Campaign | undefined {
    return this.#campaigns.find((campaign) => campaign.id === id);
  }

  health(): ElectorHealth {
    const health = this.elector.health();
    return health.state === 'overdue' ? { ...health, healthy: true, problem: OVERDUE } : health;
  }

  /** The leader, read from the store. Requests at the same time share one read. */
  leader(): Promise<KnownLeaderView> {
    this.#reading ??= this.elector.leader().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }
}
