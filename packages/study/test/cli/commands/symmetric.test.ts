import { describe, expect, it } from 'vitest';
import { commandProcess } from '../../../../../test-kit/command.ts';
import { attempts } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { symmetricRun } from '../../../src/simulator/index.ts';

const hustings = commandProcess();

describe.each(attempts.map((attempt) => [attempt.name, attempt] as const))(
  '%s',
  (name, { algorithm, fate }) => {
    it('is printed time by time, with the remedies against symmetry', async () => {
      const { status, stdout, stderr } = await hustings(['simulate', name, '--nodes', '4']);
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      const { moments } = symmetricRun(algorithm, { nodes: 4 });
      for (const { time, decision } of moments)
        expect(stdout).toMatch(new RegExp(`^${time} .* ${decision} `, 'm'));
      for (const remedy of ['ids', 'random draws', '--initiators 0'])
        expect(stdout.replaceAll('\n', ' ')).toContain(remedy);
    });

    it('is printed with --json as symmetricRun() returns it', async () => {
      const { status, stdout } = await hustings(['simulate', name, '--nodes', '4', '--json']);
      expect(status).toBe(1);
      expect(JSON.parse(stdout)).toEqual(symmetricRun(algorithm, { nodes: 4 }));
    });

    it('is refuted by check, which says that no symmetric run has one leader', async () => {
      const told = await hustings(['check', name, '--nodes', '3']);
      expect(told.status).toBe(1);
      expect(told.stdout.replaceAll('\n', ' ')).toContain(
        'at every time 0 or 3 nodes lead, and never exactly one',
      );
      const { stdout } = await hustings(['check', name, '--nodes', '3', '--json']);
      expect(JSON.parse(stdout)).toEqual({
        ...check(algorithm, { nodes: 3 }),
        symmetricRun: symmetricRun(algorithm, { nodes: 3 }),
      });
    });

    it('elects the only initiator in an ordinary run', async () => {
      const { status, stdout } = await hustings(['simulate', name, '--nodes', '4', '--initiators', '2']);
      expect(status).toBe(0);
      expect(stdout).toContain('★ the node at position 2 leads; the other 3 nodes follow');
    });

    it('is listed separately, and its page says that it is impossible', async () => {
      expect((await hustings(['algorithms'])).stdout).not.toMatch(new RegExp(`^${name} `, 'm'));
      expect((await hustings(['algorithms', '--impossible'])).stdout).toMatch(
        new RegExp(`^${name} +${fate}`, 'm'),
      );
      expect((await hustings(['algorithms', name])).stdout.replaceAll('\n', ' ')).toContain(
        'Impossible: it has neither ids',
      );
    });
  },
);

it('prints the impossible elections as JSON', async () => {
  const { stdout } = await hustings(['algorithms', '--impossible', '--json']);
  const described = attempts.map(({ algorithm: { title }, ...attempt }) => ({ ...attempt, title }));
  expect(JSON.parse(stdout)).toEqual(described);
});

it('has no symmetric run for a randomized algorithm', async () => {
  const { status, stdout } = await hustings(['simulate', 'itai-rodeh', '--nodes', '4']);
  expect(status).toBe(0);
  expect(stdout).toContain('the other 3 nodes follow');
});

it('names a Monte Carlo algorithm as such wherever it is printed', async () => {
  expect((await hustings(['simulate', 'itai-rodeh-unknown', '--nodes', '4'])).stdout).toContain(
    'Monte Carlo',
  );
  expect((await hustings(['algorithms', 'itai-rodeh-unknown'])).stdout).toContain('Monte Carlo');
  expect((await hustings(['algorithms'])).stdout.replaceAll('\n', ' ')).toContain('Monte Carlo');
});
