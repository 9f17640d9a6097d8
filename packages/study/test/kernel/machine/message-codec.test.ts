import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ListTable, MessageCodec, typeOf } from '../../../src/kernel/driver.ts';
import {
  type AnyAlgorithm,
  announcement,
  counter,
  defineAlgorithm,
  flag,
  InputError,
  id,
  message,
  ProtocolError,
} from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';
import { machineFor, sampleAlgorithm } from '../sample-algorithm.ts';

const IDS = [4, 9, 2];
const machine = machineFor(sampleAlgorithm, IDS);
const { codec, lists, messageLimits } = machine;

/** Writes values from outside into a record and reads them back. */
function throughWords(values: unknown): Record<string, unknown> {
  const words = new Int32Array(2 + codec.width).fill(77);
  const type = codec.write(values, words, 2, messageLimits, lists);
  words[3] = type;
  return codec.read(words, 2, lists);
}

const path = fc.array(fc.constantFrom(...IDS), { maxLength: 3 });
const anyId = fc.integer({ min: -1, max: 9 });
const anyMessage = fc.oneof(
  fc.record({ type: fc.constant('empty') }),
  fc.record({
    type: fc.constant('full'),
    id: anyId,
    count: fc.nat(10),
    sure: fc.boolean(),
    colour: fc.constantFrom('red', 'green', 'blue'),
    path,
  }),
  fc.record({ type: fc.constant('word'), path, id: anyId }),
);

describe('a message', () => {
  test('is read as it was written, also as JSON', () => {
    fc.assert(
      fc.property(anyMessage, (values) => {
        expect(throughWords(values)).toEqual(values);
        expect(throughWords(JSON.parse(JSON.stringify(values)))).toEqual(values);
      }),
    );
  });

  test('with random content is either refused or valid: nothing else reaches a handler', () => {
    const forged = fc.record(
      {
        type: fc.oneof(fc.constantFrom('empty', 'full', 'word'), fc.string()),
        id: fc.anything(),
        count: fc.anything(),
        sure: fc.anything(),
        colour: fc.anything(),
        path: fc.oneof(fc.array(fc.oneof(fc.integer(), fc.anything())), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(forged, fc.jsonValue()), (values) => {
        try {
          const read = throughWords(values);
          expect(throughWords(read)).toEqual(read);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  const full = { type: 'full', id: 4, count: 1, sure: true, colour: 'red', path: [4] };

  test.each([
    [{ type: 'coup' }, "'coup' is not a message of this algorithm: it has empty, full, word"],
    [{}, "'undefined' is not a message of this algorithm: it has empty, full, word"],
    [null, "'undefined' is not a message of this algorithm: it has empty, full, word"],
    ['word', "'undefined' is not a message of this algorithm: it has empty, full, word"],
    [{ ...full, id: undefined }, "'id' takes a whole number from -1 to 9, not undefined"],
    [{ ...full, id: [{ toString: false }] }, "'id' takes a whole number from -1 to 9, not [[object Object]]"],
    [{ ...full, id: 10 }, "'id' takes a whole number from -1 to 9, not 10"],
    [{ ...full, count: null }, "'count' takes a whole number from 0 to 10, not null"],
    [{ ...full, sure: 'true' }, "'sure' takes true or false, not 'true'"],
    [{ ...full, colour: 'black' }, "'colour' takes one of red, green, blue, not 'black'"],
    [{ ...full, path: [10] }, "'path' takes a list of at most 3 ids up to 9, not [10]"],
    [{ ...full, path: ['4'] }, "'path' takes a list of at most 3 ids up to 9, not ['4']"],
    [{ ...full, path: [4, 4, 4, 4] }, "'path' takes a list of at most 3 ids up to 9, not [4,4,4,4]"],
    [{ ...full, path: { length: 1 } }, "'path' takes a list of at most 3 ids up to 9, not [object Object]"],
  ])('from outside is refused: %j', (values, text) => {
    expect(() => throughWords(values)).toThrow(new ProtocolError(text));
  });
});

describe('the types of an algorithm', () => {
  test('are ordered with announcements last', () => {
    const mixed = new MessageCodec('mixed', { won: announcement(), ask: message(), lost: announcement() });
    expect([mixed.types, mixed.firstAnnouncement]).toEqual([['ask', 'won', 'lost'], 1]);
  });

  test('share the word of a common field', () => {
    const words = new Int32Array(codec.width);
    const lent = new ListTable();
    codec.write({ type: 'word', path: [], id: 7 }, words, 0, messageLimits, lent);
    expect(typeOf(words, 0)).toBe(0); // the header belongs to the caller
    expect(codec.layout.names).toEqual(['id', 'count', 'sure', 'colour', 'path']);
    expect(words[2]).toBe(7);
  });

  test('cost the bits of their type, of each field, and of the length of each list', () => {
    // Three types: 2 bits. Ids up to 9: 4. Counters up to 10: 4. Flag: 1. Three colours: 2. Lists of up to 3: 2.
    expect(codec.bits(machine.scale)).toEqual([2, 2 + 4 + 4 + 1 + 2 + 2, 2 + 2 + 4]);
  });

  test('a single type costs no bits', () => {
    const lone = new MessageCodec('lone', { token: message(['id', id()]) });
    expect(lone.bits({ n: 8, largestId: 8, params: {} })).toEqual([4]);
    expect(lone.bits({ n: 8, largestId: 7, params: {} })).toEqual([3]);
    expect(lone.bits({ n: 1, largestId: 0, params: {} })).toEqual([0]);
  });

  test.each([
    [
      'two kinds under one name',
      { a: message(['x', id()]), b: message(['x', flag()]) },
      /'x' of message b clashes/,
    ],
    ["a field called 'type'", { a: message(['type', id()]) }, /'type' of message a clashes/],
    [
      'more than eight fields',
      { a: message(...['p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x'].map((name) => [name, id()] as const)) },
      /message a has 9 fields, at most 8 are allowed/,
    ],
    [
      'more than 64 types',
      Object.fromEntries(Array.from({ length: 65 }, (_, k) => [`m${k}`, message()])),
      /has 65 types of messages, at most 64 are allowed/,
    ],
  ])('may not have %s', (_, messages, text) => {
    expect(() => new MessageCodec('odd', messages)).toThrow(text);
    expect(() => new MessageCodec('odd', messages)).toThrow(InputError);
  });
});

interface Verbs {
  send(port: number, type: string, ...values: number[]): void;
  decide(role: 'leader'): void;
}

describe('a definition with many messages', () => {
  test('has room for the largest number of types and fields', () => {
    const types = Array.from({ length: 64 }, (_, type) => `type${type}`);
    const fieldsOf = (type: string) => Array.from({ length: 8 }, (_, k) => `${type}f${k}`);
    const received: Record<string, unknown>[] = [];
    const wide: AnyAlgorithm = defineAlgorithm({
      name: 'wide',
      title: 'Wide',
      source: 'none',
      cost: 'none',
      params: {},
      laws: [],
      assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
      state: {},
      messages: Object.fromEntries(
        types.map((type) => [type, message(...fieldsOf(type).map((name) => [name, counter(600)] as const))]),
      ),
      onStart(_state: unknown, ctx: Verbs) {
        ctx.decide('leader');
        for (const [t, type] of types.entries())
          ctx.send(1, type, ...fieldsOf(type).map((_, k) => 8 * t + k + 1));
      },
      on: Object.fromEntries(
        types.map((type) => [
          type,
          (_state: unknown, _port: number, values: Record<string, unknown>) => {
            received.push(Object.fromEntries(fieldsOf(type).map((name) => [name, values[name]])));
          },
        ]),
      ),
    } as never);
    simulate(wide, { ids: [1] });
    expect(received).toEqual(
      types.map((type, t) => Object.fromEntries(fieldsOf(type).map((name, k) => [name, 8 * t + k + 1]))),
    );
  });
});
