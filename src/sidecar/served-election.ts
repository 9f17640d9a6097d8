/** One election of the sidecar: its elector, and the campaigns of the service, of which one at a time is under way. */
import { createElector } from '../elector/create-elector.ts';
import type { Elector } from '../elector/elector.ts';
import type { ElectorOptions } from '../elector/elector-options.ts';
import type { KnownLeaderView } from '../elector/leader-view.ts';
import { HustingsError } from '../errors/hustings-error.ts';
import { type LeaseTiming, resolveTiming } from '../lease/core/timing.ts';
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

/** How many campaigns that are over can still be asked why. */
const MOST_ENDED = 16;

export class ServedElection {
  readonly elector: Elector;
  readonly timing: LeaseTiming;
  #current: Campaign | null = null;
  /** In the order of their beginning. */
  #campaigns: readonly Campaign[] = [];
  #reading: Promise<KnownLeaderView> | null = null;

  constructor(
    options: Omit<ElectorOptions, 'onEvent' | 'processProof' | 'stallAfterMs'>,
    private readonly observers: readonly TermObserver[],
  ) {
    const { ttlMs } = resolveTiming(options);
    this.timing = resolveTiming({ ...options, stallAfterMs: stallAfterMs(ttlMs) });
    this.elector = createElector({
      ...options,
      stallAfterMs: this.timing.stallAfterMs,
      // The death of the sidecar does not prove that the service has stopped: a successor waits for the end of the lease.
      processProof: '',
      onEvent: (event) => {
        for (const campaign of this.#campaigns) campaign.take(event);
      },
    });
  }

  get current(): Campaign | null {
    return this.#current;
  }

  /** The campaigns that are not over. */
  get open(): readonly Campaign[] {
    return this.#campaigns.filter(({ state }) => state !== 'ended');
  }

  /** Throws a `CampaignUnderWayError` unless the service of the previous campaign has reported its end, or shows no life. */
  campaign(proof: ProofOfLife): Campaign {
    const { current } = this;
    if (current?.isUnderWay) throw new CampaignUnderWayError(this.elector.name);
    const campaign = new Campaign(this.elector, this.timing, proof, this.observers);
    this.#current = campaign;
    const ended = this.#campaigns.filter(({ state }) => state === 'ended').slice(-MOST_ENDED);
    this.#campaigns = [...this.open, ...ended, campaign];
    return campaign;
  }

  find(id: string): Campaign | undefined {
    return this.#campaigns.find((campaign) => campaign.id === id);
  }

  /** The leader, read from the store. Requests at the same time share one read. */
  leader(): Promise<KnownLeaderView> {
    this.#reading ??= this.elector.leader().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }
}
