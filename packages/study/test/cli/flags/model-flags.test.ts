/** What an algorithm declares beyond the ordinary, in the words of its page and of a replay. */
import { expect, test } from 'vitest';
import { algorithmPage } from '../../../src/cli/report/algorithm-page.ts';
import { describeAlgorithm } from '../../../src/kernel/algorithm-description.ts';
import { announcement, message, upkeep } from '../../../src/kernel/index.ts';
import { narrateStep } from '../../../src/kernel/world/narration.ts';
import { parseStep } from '../../../src/kernel/world/step.ts';
import { testAlgorithm } from '../../simulator/test-algorithm.ts';

const messages = { token: message(), beat: upkeep(), elected: announcement() };
const screen = { width: 100, paint: (_tone: unknown, text: string) => text } as never;

test('the page of an algorithm tells upkeep from announcements', () => {
  const algorithm = testAlgorithm({ messages });
  const page = algorithmPage(algorithm, describeAlgorithm(algorithm), screen).join('\n');
  expect(page).toMatch(/beat\s+upkeep/);
  expect(page).toMatch(/elected\s+announcement/);
  expect(page).not.toContain('upkeep\n  token');
});

test('the page of an algorithm with startOnMessage says when its initiators start', () => {
  const plain = testAlgorithm({ messages });
  const eager = testAlgorithm({ messages, startOnMessage: true });
  expect(algorithmPage(eager, describeAlgorithm(eager), screen).join('\n')).toMatch(
    /initiators\s+start when a message reaches them/,
  );
  expect(algorithmPage(plain, describeAlgorithm(plain), screen).join('\n')).not.toContain(
    'when a message reaches them',
  );
});

test('a replayed delivery that starts its receiver is narrated as a message and then a start', () => {
  const at = { node: 1, time: 1 };
  const token = { type: 'token', id: 5 };
  const told = narrateStep(
    parseStep('deliver 0 > 1 token id=5'),
    [
      { ...at, type: 'start' },
      { ...at, type: 'deliver', from: 0, port: 0, sent: 0, message: token },
      { ...at, type: 'send', to: 2, port: 1, message: token },
    ],
    Int32Array.of(5, 7, 9),
  );
  expect(told).toBe('node 1 (id 7) receives token id=5 from node 0: starts, sends token id=5 to node 2');
});
