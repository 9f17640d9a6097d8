/** What a service is told about its campaign: as events of a stream, and as the answers to its requests. */
import type { EndReason } from '../lease/core/end-reason.ts';

/**
 * waiting: another candidate leads. leading: the work may run. stopping: the work must stop, and the service reports with
 * a release when it has stopped. ended: the campaign is over.
 */
export type CampaignState = 'waiting' | 'leading' | 'stopping' | 'ended';

/**
 * abandoned: the service showed no life. withdrawn: it released before it led. stopped: the sidecar was told to stop.
 * store-error: the store rejects every request.
 */
export type CampaignEndReason = EndReason | 'abandoned' | 'withdrawn' | 'stopped' | 'store-error';

/** Why the work must stop, or the campaign is over. */
export interface CampaignEnd {
  readonly reason: CampaignEndReason;
  /** The reason in a sentence. */
  readonly detail: string;
}

/** The times of the lease when the message was sent. */
export interface LeaseTime {
  /** Until the work must have stopped. */
  readonly remainingMs: number;
  /** The same as a time on the wall clock of this host, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** The term. The token is decimal text. */
export interface CampaignTerm {
  readonly token: string;
  /** Name and token as one text for resources, signed if the sidecar has a key. */
  readonly fence: string;
}

/** An event of the stream. */
export type CampaignNews =
  | {
      readonly type: 'campaign';
      readonly campaign: string;
      readonly name: string;
      readonly progressWithinMs: number | null;
    }
  | { readonly type: 'waiting'; readonly holder: string | null; readonly token: string }
  | ({ readonly type: 'elected' } & CampaignTerm & LeaseTime)
  | ({ readonly type: 'renewed'; readonly token: string } & LeaseTime)
  /** By choice: the lease is renewed while the work stops. */
  | ({ readonly type: 'stopping'; readonly token: string } & CampaignEnd & LeaseTime)
  | ({ readonly type: 'lost'; readonly token: string } & CampaignEnd & LeaseTime)
  /** The last event. `released` is false if the lease runs out, or there was none. */
  | ({ readonly type: 'ended'; readonly token: string | null; readonly released: boolean } & CampaignEnd);

/** The answer to a request about a campaign. */
export interface CampaignStatus extends Partial<CampaignTerm>, Partial<LeaseTime>, Partial<CampaignEnd> {
  readonly campaign: string;
  readonly name: string;
  readonly state: CampaignState;
  /** How soon the service must report progress again; null if its stream alone proves that it lives. */
  readonly progressWithinMs: number | null;
  /** With the state ended. */
  readonly released?: boolean;
}
