import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { memberCertificate, writeTestCertificates } from '../../src/init/cluster-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'hustings-files-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('leaves only keys and certificates behind', async () => {
  await writeTestCertificates(folder, [memberCertificate('demo', 1)]);
  expect(readdirSync(folder).sort()).toEqual(['ca.key', 'ca.pem', 'member-1.key', 'member-1.pem']);
});

it('says what to do where openssl is missing', async () => {
  vi.stubEnv('PATH', '');
  await expect(writeTestCertificates(folder, [])).rejects.toThrow(
    'no test certificates can be written: openssl is not installed; install it, or use a secret instead of certificates',
  );
});
