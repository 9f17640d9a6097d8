/** What members say to each other about support. */

export type SupportFrame =
  /** `version` is that of the member list which the sender uses. */
  | {
      readonly type: 'support';
      readonly about: 'request';
      readonly token: number;
      readonly round: number;
      readonly version: number;
    }
  | { readonly type: 'support'; readonly about: 'grant'; readonly token: number; readonly round: number }
  /** `largest` is the largest token that the member has supported. */
  | { readonly type: 'support'; readonly about: 'refusal'; readonly token: number; readonly largest: number }
  /** The leader with this token has stopped to lead. */
  | { readonly type: 'support'; readonly about: 'release'; readonly token: number };

/** What members say to each other about the lists that they have stored: see list-succession.ts. */
export type ListFrame =
  /** The sender has not stored the list that it uses. */
  | { readonly type: 'support'; readonly about: 'inquiry' }
  /** The answer: a list that is on disk, and the largest token that the sender knows. */
  | {
      readonly type: 'support';
      readonly about: 'stored';
      readonly version: number;
      readonly digest: string;
      readonly token: number;
    };
