import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../study/src/kernel/errors.ts';
import { checkName } from '../../../src/lease/core/election-name.ts';
import {
  FenceError,
  FenceGate,
  parseToken,
  plainFence,
  readFence,
  signFence,
} from '../../../src/lease/fence/index.ts';

const key = randomBytes(32);
const MOST = 2n ** 63n - 1n;

function isName(text: string): boolean {
  try {
    checkName(text, 'an election');
    return true;
  } catch {
    return false;
  }
}

const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter(isName);
const tokens = fc.bigInt({ min: 1n, max: MOST });

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof FenceError) return error.refusal;
    throw error;
  }
  return 'none';
}

describe('a signed fence', () => {
  it('returns any name and token unchanged', () => {
    fc.assert(
      fc.property(names, tokens, (name, token) => {
        const text = signFence({ name, token, key });
        expect(readFence(text, { key, name })).toEqual({ name, token });
        expect(text).toMatch(/^[\w.-]+$/);
      }),
    );
  });

  it('differs for names that look alike', () => {
    const alike = [
      'job',
      'Job',
      'job ',
      'job.1',
      'job',
      'j\u043eb',
      '__proto__',
      '../job',
      'a\u0301b'.normalize('NFC'),
    ];
    const texts = alike.map((name) => signFence({ name, token: 1n, key }));
    expect(new Set(texts).size).toBe(new Set(alike).size);
  });

  it('accepts the token as decimal text', () => {
    expect(signFence({ name: 'a', token: '7', key })).toBe(signFence({ name: 'a', token: 7n, key }));
  });

  it('is refused after any change of any character', () => {
    const text = signFence({ name: 'billing', token: 41n, key });
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ09-_.= é'), (at, other) => {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        if (changed === text) return;
        expect(refusalOf(() => readFence(changed, { key, name: 'billing' }))).toMatch(/forged|malformed/);
      }),
    );
    for (let length = 0; length < text.length; length++) {
      expect(refusalOf(() => readFence(text.slice(0, length), { key }))).toBe('malformed');
    }
  });

  it('is forged with a raised token, with another key, and without a signature', () => {
    const [version, name, , mac] = signFence({ name: 'billing', token: 41n, key }).split('.');
    expect(refusalOf(() => readFence([version, name, MOST, mac].join('.'), { key }))).toBe('forged');
    const others = signFence({ name: 'billing', token: MOST, key: randomBytes(32) });
    expect(refusalOf(() => readFence(others, { key }))).toBe('forged');
    expect(refusalOf(() => readFence(plainFence({ name: 'billing', token: MOST }), { key }))).toBe('forged');
  });

  it('is foreign at the resource of another election', () => {
    const text = signFence({ name: 'billing', token: 41n, key });
    expect(refusalOf(() => readFence(text, { key, name: 'Billing' }))).toBe('foreign');
  });

  it('is accepted with each key during a key rotation', () => {
    const [older, newer] = [randomBytes(32), randomBytes(40)];
    for (const each of [older, newer]) {
      const text = signFence({ name: 'a', token: 1n, key: each });
      expect(readFence(text, { keys: [newer, older] }).token).toBe(1n);
    }
    const retired = signFence({ name: 'a', token: 1n, key: older });
    expect(refusalOf(() => readFence(retired, { keys: [newer] }))).toBe('forged');
  });

  it('needs a key of 32 bytes', () => {
    expect(() => signFence({ name: 'a', token: 1n, key: 'short' })).toThrow(InputError);
    expect(() => signFence({ name: 'a', token: 1n, key: 'short' })).toThrow(/at least 32 bytes, not 5/);
    expect(() => readFence('h1.YQ.1.x', { key: randomBytes(31) })).toThrow(/not 31/);
    expect(() => readFence('h1.YQ.1.x', {})).toThrow(/key or keys is required/);
  });

  it('is never complete in an error message', () => {
    const text = signFence({ name: 'billing', token: 41n, key });
    try {
      readFence(`${text}.`, { key });
    } catch (error) {
      expect(String(error)).not.toContain(text.slice(-20));
      expect(error).toMatchObject({ code: 'HUSTINGS_FENCE_MALFORMED' });
    }
    expect.assertions(2);
  });
});

describe('a plain fence', () => {
  it('has one spelling', async () => {
    const gate = new FenceGate({ name: 'a' });
    expect(plainFence({ name: 'a', token: 1n })).toBe('h0.YQ.1');
    await expect(gate.pass('h0.YQ.1')).resolves.toMatchObject({ token: 1n });
    const others = [
      'h0.YQ==.1',
      'h0.YR.1',
      'h0.Y Q.1',
      'h0..1',
      'h0.YQ.01',
      'h0.YQ.1.',
      'h0.YQ',
      'h2.YQ.1',
      'H0.YQ.1',
      'h0._w.1',
      '1',
      '',
    ];
    for (const other of others)
      await expect(gate.pass(other), other).rejects.toMatchObject({ refusal: 'malformed' });
  });
});

describe('a token', () => {
  it.each([
    '',
    '0',
    '01',
    '+1',
    '-1',
    ' 1',
    '1 ',
    '1e3',
    '0x1',
    '1.0',
    '1_0',
    '９',
    `${2n ** 63n}`,
    '9'.repeat(400),
  ])('is not %j', (text) => expect(refusalOf(() => parseToken(text))).toBe('malformed'));
  it.each([0n, -1n, 2n ** 63n, 1, Number.NaN, null, undefined, {}])('is not the value %s', (value) => {
    expect(refusalOf(() => parseToken(value))).toBe('malformed');
  });
  it('may be as large as 2^63 − 1', () => {
    expect(parseToken(`${MOST}`)).toBe(MOST);
    expect(parseToken(MOST)).toBe(MOST);
  });
});
