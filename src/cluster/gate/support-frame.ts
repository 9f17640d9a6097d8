/** What members say to each other about support. Checked here, because a frame is only known to be JSON. */

export type SupportFrame =
  | { readonly type: 'support'; readonly about: 'request'; readonly token: number; readonly round: number }
  | { readonly type: 'support'; readonly about: 'grant'; readonly token: number; readonly round: number }
  /** `largest` is the largest token that the member has supported. */
  | { readonly type: 'support'; readonly about: 'refusal'; readonly token: number; readonly largest: number }
  /** The leader with this token has stopped to lead. */
  | { readonly type: 'support'; readonly about: 'release'; readonly token: number };

const NUMBERS: Readonly<Record<SupportFrame['about'], readonly string[]>> = {
  request: ['token', 'round'],
  grant: ['token', 'round'],
  refusal: ['token', 'largest'],
  release: ['token'],
};

/** Null unless the frame is what a member may say about support. */
export function readSupportFrame(frame: Readonly<Record<string, unknown>>): SupportFrame | null {
  const about = frame.about as SupportFrame['about'];
  if (frame.type !== 'support' || typeof about !== 'string' || !Object.hasOwn(NUMBERS, about)) return null;
  const isNumber = (name: string): boolean =>
    Number.isSafeInteger(frame[name]) && (frame[name] as number) >= 0;
  return NUMBERS[about].every(isNumber) ? (frame as unknown as SupportFrame) : null;
}
