import { describe, expect, it } from 'vitest';
import { hustings } from '../../../../test-kit/command.ts';
import { freePort } from '../../../../test-kit/servers/index.ts';
import { queueUrlOf } from '../../src/cli/queue-url.ts';

describe('--queue', () => {
  it.each(['sweep chang-roberts', 'reproduce', 'worker'])('of %s refuses a password', (command) => {
    const { status, stderr } = hustings([...command.split(' '), '--queue', 'redis://:hunter2@host']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^hustings: --queue must not contain a password.*HUSTINGS_QUEUE.*\n$/);
    expect(stderr).not.toContain('hunter2');
  });

  it('without a value, and a worker without the flag, take HUSTINGS_QUEUE with its password', () => {
    const url = 'rediss://user:hunter2@host:7000/3';
    expect(queueUrlOf(true, { HUSTINGS_QUEUE: url })).toBe(url);
    expect(queueUrlOf('redis://other', { HUSTINGS_QUEUE: url })).toBe('redis://other');
  });

  it.each([
    [true, {}, /^--queue needs a URL: give redis:\/\/HOST/],
    ['chang-roberts', {}, /^--queue must be redis:\/\/HOST/],
    [true, { HUSTINGS_QUEUE: 'postgres://u:hunter2@host/db' }, /^HUSTINGS_QUEUE must be redis:(?!.*hunter2)/],
    ['redis://host/seven', {}, /^--queue: the path of a Redis URL must end in the number/],
  ] as const)('refuses %s with %o', (given, env, message) => {
    expect(() => queueUrlOf(given, env)).toThrow(message);
  });

  it('excludes --cores, which belongs to the worker', () => {
    const { status, stderr } = hustings('sweep chang-roberts --cores 2 --queue redis://host'.split(' '));
    expect(status).toBe(2);
    expect(stderr).toContain('--cores');
  });

  it('that names no server ends with exit code 3 and one line', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    for (const command of ['worker', 'sweep chang-roberts']) {
      const { status, stderr } = hustings([...command.split(' '), '--queue', url]);
      expect(status).toBe(3);
      expect(stderr).toMatch(/^hustings: redis:\/\/127.* cannot be reached .*\n$/);
    }
  });
});
