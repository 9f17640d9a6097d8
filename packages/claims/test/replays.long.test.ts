/** Every command of the report runs, and the command of a refutation shows the refutation. */
import { expect, test } from 'vitest';
import { hustings } from '../../../test-kit/command.ts';
import { reproduce } from '../src/index.ts';
import { refutations } from './refutations.ts';

test('every command of the report shows an election or a violation, and refutations are shown', () => {
  const { families } = reproduce({ seed: 2, quick: true });
  const results = families.flatMap(({ rows }) => rows.flatMap(({ claims }) => claims));
  const outputs = new Map<string, string>();
  for (const { id, replay, verdict } of results) {
    if (replay === undefined) continue;
    if (!outputs.has(replay)) {
      const { status, stderr, stdout } = hustings(replay.split(' ').slice(1));
      expect([replay, status === 0 || status === 1, stderr.split('\n').length <= 2]).toEqual([
        replay,
        true,
        true,
      ]);
      outputs.set(replay, stdout);
    }
    if (verdict !== 'refuted') continue;
    expect([id, replay, refutations[id]?.(outputs.get(replay) ?? '')]).toEqual([id, replay, true]);
  }
  expect(outputs.size).toBeGreaterThan(40);
});
