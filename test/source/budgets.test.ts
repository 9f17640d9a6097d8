/** What is kept small, with its limits in one file: budgets.json. */
import { describe, expect, it } from 'vitest';
import { VERB_NAMES } from '../../packages/hustings/src/cli/installed-verbs.ts';
import { MAIN } from '../../test-kit/command.ts';
import budgets from './budgets.json' with { type: 'json' };
import { builtUrl, modulesLoadedBy } from './loaded-modules.ts';

describe('the files of this package that a command loads', () => {
  it.each(Object.entries(budgets.filesLoadedBy))('hustings %s: at most %i', (words, most) => {
    const argv = JSON.stringify([process.execPath, MAIN, ...words.split(' ')]);
    const loaded = modulesLoadedBy(
      `process.argv = ${argv}; await import('${builtUrl('hustings/cli/main.js')}');`,
    ).filter((path) => !path.startsWith('file:'));
    expect(loaded).toContain('hustings/cli/main.js');
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(most);
  });

  it.each(VERB_NAMES.slice(0, VERB_NAMES.indexOf('node')))(
    'hustings %s: no other package than its base',
    (verb) => {
      const argv = JSON.stringify([process.execPath, MAIN, verb, '--help']);
      const loaded = modulesLoadedBy(
        `process.argv = ${argv}; await import('${builtUrl('hustings/cli/main.js')}');`,
      );
      expect(loaded).toContain('hustings/cli/main.js');
      expect(
        loaded.filter((path) => /^\w+\/(?!.*node_modules)/.test(path) && !/^(base|hustings)\//.test(path)),
      ).toEqual([]);
    },
  );
});
