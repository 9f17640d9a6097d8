/** The clocks and timers of a member. Real in a process, virtual in a test. */
export interface MemberClock {
  /** Monotonic, in milliseconds. */
  now(): number;
  /** For people; it may jump. */
  wallMs(): number;
  /** Runs `run` after a delay, never earlier by `now`, unless the function that it returns is called first. */
  after(delayMs: number, run: () => void): () => void;
}
