/**
 * What each field of each type of frame may be. A member checks every frame here, before it reads a field: a frame is only
 * known to be JSON, and its sender may lie or run another release. What a value means is checked where it is used: against the
 * member list, the declarations of the algorithm, and the numbers that this member knows (gate/term-increment-limiter.ts).
 */

import { isRecord, isWhole } from '@hustings/base';
import { MAX_WORD } from '@hustings/study/kernel';
import { NOBODY } from './gate/supporter.ts';
import { MAX_MEMBERS } from './member-list/member-list.ts';
import type { Frame } from './transport.ts';
import { LARGEST_EPOCH } from './view/parse-view.ts';

/** One line that says what a value must be, or null. */
type FieldCheck = (value: unknown) => string | null;
type FieldChecks = Readonly<Record<string, FieldCheck>>;

/** The name of a message is its sender, incarnation and count. */
const MAX_KEY_CHARACTERS = 64;

const check =
  (must: string, holds: (value: unknown) => boolean): FieldCheck =>
  (value) =>
    holds(value) ? null : must;

const whole = (from: number, to: number): FieldCheck =>
  check(`must be a whole number from ${from} to ${to}`, (value) => isWhole(value, from, to));

const epoch = whole(0, LARGEST_EPOCH);
const word = whole(0, MAX_WORD);
const count = whole(0, Number.MAX_SAFE_INTEGER);
const flag = check('must be true or false', (value) => typeof value === 'boolean');
const record = check('must be an object', isRecord);
const ids = check(
  `must be a list of up to ${MAX_MEMBERS} ids`,
  (value) =>
    Array.isArray(value) && value.length <= MAX_MEMBERS && value.every((each) => isWhole(each, 0, MAX_WORD)),
);
const key = check(
  `must be up to ${MAX_KEY_CHARACTERS} letters, digits and dots`,
  (value) => typeof value === 'string' && value.length <= MAX_KEY_CHARACTERS && /^[\w.]+$/.test(value),
);

const folder = check(
  'must be an id of a folder',
  (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value),
);

const digest = check(
  'must be the digest of a list',
  (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);

/** May be missing. */
const optional =
  (given: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined ? null : given(value);

const fields =
  (checks: FieldChecks): FieldCheck =>
  (value) => {
    if (!isRecord(value)) return record(value);
    for (const [name, of] of Object.entries(checks)) {
      const must = of(Object.hasOwn(value, name) ? value[name] : undefined);
      if (must !== null) return must.startsWith('.') ? `.${name}${must}` : `.${name} ${must}`;
    }
    return null;
  };

/** The fields depend on what the frame is about. */
const about =
  (kinds: Readonly<Record<string, FieldChecks>>): FieldCheck =>
  (value) => {
    const { about: kind } = value as Record<string, unknown>;
    if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind))
      return `.about must be one of ${Object.keys(kinds).join(', ')}`;
    return fields(kinds[kind])(value);
  };

const listName = { stamp: word, version: whole(1, LARGEST_EPOCH), origin: word };

const FRAMES: Readonly<Record<Frame['type'], FieldCheck>> = {
  message: fields({ epoch, proposer: epoch, port: word, key, clock: optional(record), body: record }),
  epoch: fields({
    view: fields({
      hears: ids,
      chooses: word,
      seen: epoch,
      epoch: (value) =>
        value === null
          ? null
          : fields({ number: whole(1, LARGEST_EPOCH), proposer: word, members: ids })(value),
    }),
  }),
  support: about({
    request: { token: count, round: count, version: whole(1, LARGEST_EPOCH), leads: optional(flag) },
    grant: { token: count, round: count },
    refusal: { token: count, largest: count },
    release: { token: count },
    inquiry: {},
    stored: { version: whole(1, LARGEST_EPOCH), digest, token: count },
  }),
  members: about({
    record: {
      isCommitted: flag,
      record: fields({
        ...listName,
        members: check('must be a list', Array.isArray),
        removed: optional(record),
      }),
    },
    stored: { isCommitted: flag, isConfirmed: flag, name: fields(listName) },
  }),
  folder: fields({ folder }),
  recovery: about({
    question: { question: count },
    answer: {
      question: count,
      process: count,
      isRecovering: flag,
      token: count,
      leader: whole(NOBODY, MAX_WORD),
      list: (value) => (value === null ? null : fields(listName)(value)),
    },
  }),
};

/** The types of frames that members send each other. */
export const FRAME_TYPES: readonly unknown[] = Object.keys(FRAMES);

/** Why no member sends such a frame, in one line, or null. Never throws. */
export function frameProblem(frame: Frame): string | null {
  const { type } = frame;
  if (!FRAME_TYPES.includes(type)) return 'it has a type that no frame has';
  const must = FRAMES[type](frame);
  return must === null ? null : `its frame is not valid: ${type}${must}`;
}
