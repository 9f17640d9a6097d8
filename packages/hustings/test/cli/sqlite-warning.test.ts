import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { hideSqliteWarning } from '../../src/cli/sqlite-warning.ts';

const folder = temporaryFolder();
afterEach(() => vi.restoreAllMocks());

describe('the warning of Node that its SQLite is experimental', () => {
  it('is hidden, and no other', () => {
    const shown = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    hideSqliteWarning();
    process.emitWarning(
      'SQLite is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    process.emitWarning('Another feature is experimental', 'ExperimentalWarning');
    process.emitWarning('SQLite is slow', 'Warning');
    expect(shown.mock.calls).toEqual([
      ['Another feature is experimental', 'ExperimentalWarning'],
      ['SQLite is slow', 'Warning'],
    ]);
  });

  it('is not printed by a command that opens a file', () => {
    const url = `sqlite:${join(folder.path, 'leases.db')}`;
    expect(hustings(['store', 'init', '--store', url])).toMatchObject({ status: 0, stderr: '' });
  });
});
