/** The searches of members that lose their folders, and the mutants that each must catch. */
import type { ForgetfulSetting } from './forgetful-system.ts';

/** Three members, of which two may be elected. */
export const THREE: ForgetfulSetting = {
  folders: 'ephemeral',
  size: 3,
  claimants: 2,
  tokens: 2,
  inFlight: 1,
  restarts: 0,
  losses: 1,
  forgetful: [2],
};

/** Five members with one token, which two claimants ask for: only member 2 is asked by both. */
export const FIVE: ForgetfulSetting = {
  ...THREE,
  size: 5,
  tokens: 1,
  inFlight: 0,
  asks: [
    [2, 3],
    [2, 4],
  ],
};

/**
 * Three of five forget one after the other, and never three at once: member 0 while member 2 recovers, then member 3, which does not
 * recover.
 */
const ONE_AFTER_THE_OTHER: ForgetfulSetting = {
  ...FIVE,
  losses: 3,
  forgetful: [0, 2, 3],
  tells: { 0: [1, 3, 4], 2: [0, 1, 3, 4], 3: [] },
};

/** Requests are answered at once. */
const AT_ONCE: ForgetfulSetting = { ...THREE, inFlight: 0 };
const KEPT: ForgetfulSetting = { ...AT_ONCE, folders: 'kept' };

type Search = readonly [name: string, setting: ForgetfulSetting, states: number];

export const QUICK: readonly Search[] = [
  ['ephemeral: a voter forgets, one token', { ...THREE, tokens: 1 }, 2_351],
  ['ephemeral: any member forgets', { ...AT_ONCE, forgetful: [0, 1, 2] }, 4_043],
  ['ephemeral: one of five forgets', FIVE, 3_959],
  ['kept: a voter loses its folder, one token', { ...THREE, folders: 'kept', tokens: 1 }, 2_858],
  ['kept: a voter loses its folder, requests are answered at once', KEPT, 1_998],
  ['kept: a voter loses its folder, two members restart', { ...KEPT, tokens: 1, restarts: 2 }, 4_834],
];

export const LONG: readonly Search[] = [
  ['ephemeral: a voter forgets', THREE, 16_145],
  [
    'ephemeral: any member forgets, and any other one later',
    { ...AT_ONCE, losses: 2, forgetful: [0, 1, 2] },
    11_298,
  ],
  ['kept: a voter loses its folder', { ...THREE, folders: 'kept' }, 13_282],
  ['ephemeral: a claimant and a voter forget', { ...THREE, losses: 2, forgetful: [0, 2] }, 55_547],
  ['ephemeral: two of five forget', { ...FIVE, losses: 2, forgetful: [2, 3] }, 239_506],
  ['ephemeral: three of five forget, two at once', ONE_AFTER_THE_OTHER, 239_269],
  ['ephemeral: one of five forgets, messages are on their way', { ...FIVE, inFlight: 1 }, 48_011],
  [
    'kept: a claimant loses its folder, a member restarts',
    { ...THREE, folders: 'kept', forgetful: [0], restarts: 1 },
    32_619,
  ],
  ['kept: a voter loses its folder, a member restarts', { ...THREE, folders: 'kept', restarts: 1 }, 51_906],
];

type Mutant = readonly [setting: ForgetfulSetting, property: 'one leader' | 'rising tokens'];

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'a first start that does not wait for a lease': [{ ...AT_ONCE, mutant: 'does not wait' }, 'one leader'],
  'answers to earlier questions count': [
    { ...FIVE, tells: { 2: [1, 3, 4] }, mutant: 'counts earlier answers' },
    'rising tokens',
  ],
  'the answers of members that are recovering count': [
    {
      ...FIVE,
      losses: 2,
      forgetful: [2, 3],
      tells: { 2: [1, 3, 4], 3: [] },
      mutant: 'counts recovering members',
    },
    'rising tokens',
  ],
  'a majority of all members, with the forgetful one, must answer': [
    { ...AT_ONCE, mutant: 'majority of all' },
    'rising tokens',
  ],
  'members that were told of two leaders with a token support nobody with it, and answer so': [
    { ...AT_ONCE, tokens: 1, losses: 2, forgetful: [0, 2], mutant: 'keeps a divided token' },
    'rising tokens',
  ],
  'a majority of all members, with its owner, must have recorded a folder': [
    { ...KEPT, mutant: 'majority of all' },
    'rising tokens',
  ],
  'a vote counts before the folder of its owner is on disk': [
    { ...KEPT, tokens: 1, restarts: 2, mutant: 'forgets the folders of others' },
    'rising tokens',
  ],
  'members that do not compare their folders': [{ ...KEPT, mutant: 'compares nothing' }, 'rising tokens'],
};

export const LONG_MUTANTS: Readonly<Record<string, Mutant>> = {
  'members that answer once that they are recovering, which need not be so at one time': [
    { ...ONE_AFTER_THE_OTHER, mutant: 'asks once' },
    'rising tokens',
  ],
};
