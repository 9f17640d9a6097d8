/** Every command of the report runs. */
import { expect, test } from 'vitest';
import { reproduce } from '../../src/reproduce/index.ts';
import { buildBefore, hustings } from '../cli/command.ts';

buildBefore();

test('every command of the report shows an election or a violation', () => {
  const { families } = reproduce({ seed: 2, quick: true });
  const commands = families.flatMap(({ rows }) =>
    rows.flatMap(({ claims }) => claims.flatMap(({ replay }) => replay ?? [])),
  );
  expect(commands.length).toBeGreaterThan(40);
  for (const command of new Set(commands)) {
    const { status, stderr } = hustings(command.split(' ').slice(1));
    expect([command, status === 0 || status === 1, stderr.split('\n').length <= 2]).toEqual([
      command,
      true,
      true,
    ]);
  }
});
