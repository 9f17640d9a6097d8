import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../../test-kit/until.ts';
import { InputError } from '../../../../base/src/hustings-error.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { Elector } from '../../../src/elector/elector.ts';
import type { ElectorOptions } from '../../../src/elector/elector-options.ts';
import type { ElectorEvent } from '../../../src/elector/events/elector-event.ts';
import type { LogEntry } from '../../../src/elector/events/elector-logger.ts';
import { FenceError, reporting } from '../../../src/lease/fence/fence-error.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';
import { FailingStore } from '../failing-store.ts';

const TTL = 600;

function electorOn(store: ElectorOptions['store'], options: Partial<ElectorOptions> = {}): Elector {
  return createElector({
    name: 'job',
    id: 'me',
    ttlMs: TTL,
    processProof: '',
    store,
    ...options,
  } as ElectorOptions);
}

const warnings: Error[] = [];
const hear = (warning: Error): void => void warnings.push(warning);
const warningsOf = (code: string): Error[] =>
  warnings.filter((warning) => (warning as { code?: string }).code === code);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', hear);
});
afterEach(() => void process.off('warning', hear));

describe('a store that is down', () => {
  test('is one event when its errors begin and one when it answers again; the metrics count every error', async () => {
    const failing = new FailingStore();
    const events: ElectorEvent[] = [];
    const elector = electorOn(failing.store, { onEvent: (event) => events.push(event) });
    const stop = new AbortController();
    const running = elector.campaign(({ ended }) => ended, { signal: stop.signal });
    // A call that fails on a busy machine may time out first.
    const errors = (): number =>
      [...elector.metrics.storeErrors.values()].reduce((sum, each) => sum + each, 0);
    for (const outage of [1, 2]) {
      await until(() => elector.metrics.isLeader);
      failing.failure = 'unreachable';
      await until(() => errors() >= 5 * outage);
      failing.failure = 'none';
      await until(() => events.filter(({ type }) => type === 'store-recovered').length === outage);
    }
    stop.abort();
    await running;
    const told = events.filter(({ type }) => type.startsWith('store-'));
    expect(told.map(({ type }) => type)).toEqual([
      ...['store-error', 'store-recovered', 'store-error', 'store-recovered'],
    ]);
    const counted = told.flatMap((event) => (event.type === 'store-recovered' ? event.errors : []));
    expect(counted[0] + counted[1]).toBe(errors());
    expect(warningsOf('HUSTINGS_STORE_SILENT')).toEqual([]);
  }, 20_000);

  test('is one warning of the process after one TTL if nobody listens, however many electors wait', async () => {
    const failing = new FailingStore();
    failing.failure = 'unreachable';
    const stop = new AbortController();
    const startMs = performance.now();
    const running = [1, 2, 3].map((each) =>
      electorOn(failing.store, { name: `job ${each}` }).campaign(({ ended }) => ended, {
        signal: stop.signal,
      }),
    );
    await until(() => warnings.length > 0);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(TTL - 5);
    await sleep(100);
    expect(warningsOf('HUSTINGS_STORE_SILENT').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^no answer from memory: for 600 ms, so 'job [123]' may have no leader: .*a failure of the test/,
      ),
    ]);
    stop.abort();
    await Promise.all(running);
  });

  test('is no warning after the candidate has given up', async () => {
    const failing = new FailingStore();
    failing.failure = 'unreachable';
    await electorOn(failing.store)
      .acquire({ timeoutMs: 50 })
      .catch(() => {});
    await sleep(TTL + 100);
    expect(warningsOf('HUSTINGS_STORE_SILENT')).toEqual([]);
  });
});

describe('an observer that rejects', () => {
  test('as onEvent is one warning, and the election continues', async () => {
    const elector = electorOn(new MemoryLeaseStore(), {
      onEvent: async () => {
        throw new Error('my async logger');
      },
    });
    await (await elector.acquire()).release();
    await until(() => warnings.length > 0);
    await sleep(20);
    expect(warningsOf('HUSTINGS_OBSERVER_FAILED').map(({ message }) => message)).toEqual([
      'onEvent failed: Error: my async logger',
    ]);
  });

  test.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('my async counter'))],
    [
      'throws',
      () => {
        throw new Error('my counter');
      },
    ],
  ])(
    'as the onRejected of a fence, if it %s, is one warning, and the refusal is thrown',
    async (_, onRejected) => {
      const refuse = (): Promise<never> =>
        reporting({ onRejected }, () => Promise.reject(new FenceError('stale', 'too old')));
      await expect(refuse()).rejects.toThrow('too old');
      await expect(refuse()).rejects.toThrow('too old');
      await until(() => warnings.length > 0);
      await sleep(20);
      expect(warningsOf('HUSTINGS_OBSERVER_FAILED')).toHaveLength(1);
      expect(warnings[0].message).toMatch(/^onRejected failed: Error: my (async )?counter$/);
    },
  );
});

describe('a logger', () => {
  /** Leads once, waits once, and survives an outage. */
  async function scenario(logger: ElectorOptions['logger']): Promise<void> {
    const failing = new FailingStore();
    // Long terms: a term that a busy machine loses would never be renewed.
    const long = { ttlMs: 30_000, renewEveryMs: 100 };
    const elector = electorOn(failing.store, { logger, ...long });
    const held = await electorOn(failing.store, { id: 'other', ...long }).acquire();
    const acquiring = elector.acquire();
    await until(() => elector.metrics.roundTrip.count > 0);
    await held.release();
    const lead = await acquiring;
    failing.failure = 'unreachable';
    await until(() => (elector.metrics.storeErrors.get('unreachable') ?? 0) > 0);
    failing.failure = 'none';
    await until(() => elector.metrics.renewals > 0);
    await lead.release();
  }

  const EXPECTED = [
    ['info', /^hustings: 'job': waiting: 'other' leads$/],
    ['info', /^hustings: 'job': leading with token \d+$/],
    ['warn', /^hustings: 'job': store error: a failure of the test$/],
    ['info', /^hustings: 'job': the store answers again after \d+ ms$/],
    ['info', /^hustings: 'job': term \d+ ended: released$/],
  ] as const;

  const expectLines = (lines: readonly (readonly [string, unknown])[]): void => {
    expect(lines).toEqual(EXPECTED.map(([level, text]) => [level, expect.stringMatching(text)]));
  };

  test('that is a function gets entries with level, message and fields', async () => {
    const entries: LogEntry[] = [];
    await scenario((entry) => entries.push(entry));
    expectLines(entries.map(({ level, message }) => [level, message]));
    expect(entries[0].fields).toEqual({
      election: 'job',
      candidate: 'me',
      event: 'waiting',
      holder: 'other',
      successor: null,
    });
    expect(entries[1].fields).toMatchObject({ event: 'elected', token: expect.stringMatching(/^\d+$/) });
    expect(entries[2].fields).toMatchObject({
      event: 'store-error',
      kind: 'unreachable',
      err: expect.any(Error),
    });
    expect(() => JSON.stringify(entries)).not.toThrow();
  });

  test('like console gets the message alone', async () => {
    const lines: [string, string][] = [];
    const at =
      (level: string) =>
      (...args: unknown[]) =>
        void lines.push([level, args.join('|')]);
    await scenario({ info: at('info'), warn: at('warn'), error: at('error') });
    expectLines(lines);
  });

  test('like pino gets the fields before the message', async () => {
    const lines: [string, string][] = [];
    const at =
      (level: string) =>
      (fields: object, message: string): void => {
        expect(fields).toMatchObject({ election: 'job', candidate: 'me' });
        lines.push([level, message]);
      };
    const pino = {
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      bindings: () => ({}),
      level: 'info',
    };
    await scenario(pino);
    expectLines(lines);
  });

  test('that throws is one warning', async () => {
    await scenario(() => {
      throw new Error('disk full');
    });
    expect(warningsOf('HUSTINGS_OBSERVER_FAILED').map(({ message }) => message)).toEqual([
      'logger failed: Error: disk full',
    ]);
  });

  const _accepted: ElectorOptions['logger'][] = [console, (entry) => entry.message];
});

test('an event with an error shows its message as JSON', async () => {
  const failing = new FailingStore();
  failing.failure = 'unreachable';
  const lines: string[] = [];
  const elector = electorOn(failing.store, { onEvent: (event) => lines.push(JSON.stringify(event)) });
  await elector.acquire({ timeoutMs: 0 }).catch(() => {});
  expect(JSON.parse(lines.find((line) => line.includes('store-error')) ?? '')).toEqual({
    type: 'store-error',
    kind: 'unreachable',
    error: { name: 'StoreError', code: 'HUSTINGS_STORE_UNREACHABLE', message: 'a failure of the test' },
  });
  const { value } = await elector.watch().next();
  expect(JSON.parse(JSON.stringify(value))).toMatchObject({
    type: 'unknown',
    error: { message: 'a failure of the test' },
  });
});

describe('work that returns at once', () => {
  test('is one warning of the process after three terms', async () => {
    const warnings: string[] = [];
    const take = (warning: Error & { code?: string }): void => {
      if (warning.code === 'HUSTINGS_BRIEF_TERMS') warnings.push(warning.message);
    };
    process.on('warning', take);
    let terms = 0;
    const elector = createElector({ store: new MemoryLeaseStore(), name: 'brief', ttlMs: 500 });
    void elector.campaign(() => void terms++);
    await until(() => terms >= 6);
    await elector.close();
    process.off('warning', take);
    expect(warnings).toEqual([
      "the work of 'brief' has returned at once 3 times in a row, and a term ends when its work returns; let it await what it " +
        'does, or lead.ended',
    ]);
  });
});

describe('an observer of the wrong type', () => {
  test.each([{ onEvent: 5 }, { logger: 5 }, { logger: {} }])('is refused: %o', (options) => {
    expect(() => createElector({ store: new MemoryLeaseStore(), name: 'a', ...(options as object) })).toThrow(
      InputError,
    );
  });
});
