/** What members say to each other about support. */

export type SupportFrame =
  | { readonly type: 'support'; readonly about: 'request'; readonly token: number; readonly round: number }
  | { readonly type: 'support'; readonly about: 'grant'; readonly token: number; readonly round: number }
  /** `largest` is the largest token that the member has supported. */
  | { readonly type: 'support'; readonly about: 'refusal'; readonly token: number; readonly largest: number }
  /** The leader with this token has stopped to lead. */
  | { readonly type: 'support'; readonly about: 'release'; readonly token: number };
