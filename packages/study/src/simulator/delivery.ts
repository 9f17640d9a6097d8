/** What the event loop needs of deliveries: there are two kinds, with and without a copy of each message. */

/** Delivers messages, and sends those of the handlers. */
export interface Delivery {
  /** Called before the first event of a time, in ticks. */
  begin(now: number): void;
  /** Delivers the messages that arrive now, or also later ones; false if it stopped after event number `last`. */
  deliver(last: number): boolean;
  /** Sends the messages of the handler that has returned, and sets its timers. */
  applyEffects(at: number): void;
}

/** The part of a simulation that deliveries change. */
export interface DeliveryProgress {
  /** In ticks. */
  readonly now: number;
  /** Events so far. */
  steps: number;
  /** The kind of the current event. */
  event: string;
  /** True if a delivery at this time, in ticks, is the next event, and no other event has the same time. */
  isNext(time: number): boolean;
  /** Advances the clock, in ticks. */
  advanceTo(time: number): void;
  /** Records that a message starts this node. */
  noteStart(at: number): void;
  /** Applies the effects of the handler that has returned, reports them and checks the invariants. */
  applyEffects(at: number): void;
}
