import { afterEach, describe, expect, it, vi } from 'vitest';
import { withoutSecrets } from '../../../hustings/src/cli/secrets.ts';
import { StoreError } from '../../../hustings/src/lease/index.ts';
import { report } from '../../src/command/exit.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function reported(error: unknown): { code: number; text: string } {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const code = report(error, withoutSecrets);
  return { code, text: written.mock.calls.flat().map(String).join('\n') };
}

describe('an error at the end of a command', () => {
  it('of a store is one line, without the text of the driver', () => {
    const cause = new Error('AUTH hunter2 failed');
    expect(reported(new StoreError('denied', 'the store refuses:\n the password', cause))).toEqual({
      code: 3,
      text: 'hustings: the store refuses: the password',
    });
  });

  it('that is unexpected has a stack trace, without the secrets of the store', () => {
    vi.stubEnv('HUSTINGS_STORE', 'redis://:hunter%202@host');
    const error = Object.assign(new Error('no reply to AUTH "hunter 2"'), {
      command: { args: ['hunter%202'] },
      cause: new Error('at redis://:hunter%202@host'),
    });
    const { code, text } = reported(error);
    expect(code).toBe(70);
    expect(text).toContain('no reply to AUTH');
    expect(text).toContain('this is a defect of hustings');
    expect(text).not.toMatch(/hunter/);
  });
});
