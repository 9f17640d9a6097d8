import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  GROUPS,
  LARGER_GROUPS,
  LARGER_RESHARDINGS,
  RESHARDINGS,
} from '../../packages/hustings/test/shards/model/configurations.ts';

it('docs/shards.md has the size of every state space that is searched', () => {
  const page = readFileSync(new URL('../../docs/shards.md', import.meta.url), 'utf8');
  const sizes = [...GROUPS, ...LARGER_GROUPS, ...RESHARDINGS, ...LARGER_RESHARDINGS];
  for (const { text, states, transitions } of sizes) {
    expect(page).toContain(
      `| ${text} | ${states.toLocaleString('en')} | ${transitions.toLocaleString('en')} |`,
    );
  }
});
