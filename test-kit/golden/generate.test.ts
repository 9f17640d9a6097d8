import { expect, it } from 'vitest';
import { WRITERS } from '../../scripts/generate.mjs';
import { readTests } from '../../test/source/source-file.ts';

it('npm run generate runs every test that compares generated files; those of long tests name their own command', () => {
  const tests = readTests().filter(({ path }) => /(?<!\.long)\.test\.ts$/.test(path));
  const writing = tests.filter(({ text }) => /^ .*\bexpectKept\(|^runPages\(/m.test(text));
  const known = Object.values(WRITERS).flat();
  // These pages show nothing that is generated.
  const shown = writing.map(({ path }) => path).filter((path) => path !== 'test/readme/readme.test.ts');
  expect(shown.sort()).toEqual(known.sort());
});
