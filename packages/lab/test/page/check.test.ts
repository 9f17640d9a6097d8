import { describe, expect, it } from 'vitest';
import { check } from '../../../study/src/checker/index.ts';
import { findAlgorithm } from '../../src/model/setup/algorithm-list.ts';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();

describe('the page Check', () => {
  it('searches every schedule: the counts are those of the library, and the state graph is drawn', async () => {
    const page = await lab.open('#/check?algorithm=chang-roberts&nodes=3');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await expect.poll(() => verdict.textContent(), { timeout: 30_000 }).toContain('Every schedule');
    const algorithm = findAlgorithm('chang-roberts');
    if (algorithm === undefined) throw new Error('there is no Chang–Roberts');
    const { states, transitions } = check(algorithm, { nodes: 3 });
    await expect.poll(() => verdict.textContent()).toContain(`${states} states, ${transitions} transitions`);
    await expect.poll(() => page.locator('.state-graph .state').count()).toBeGreaterThanOrEqual(states);
    await expectAccessible(page);
  });

  it('hides the fault of a puzzle until it is asked for, and opens the counterexample in Run', async () => {
    const page = await lab.open('#/check');
    await page.getByText('algorithms with one wrong line').click();
    await page
      .getByRole('link', { name: /Peterson.*without/i })
      .first()
      .click();
    await page.getByRole('button', { name: 'Be the adversary' }).waitFor();
    await expect.poll(() => page.locator('.found-steps').count()).toBe(0);
    await page.getByRole('button', { name: 'Show me' }).click();
    const steps = page.locator('.found-steps li');
    await steps.first().waitFor();
    const last = (await steps.count()) - 1;
    await steps.nth(last).getByRole('button').click();
    await expect.poll(() => steps.nth(last).getAttribute('data-now')).toBe('true');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open in Run' }).click();
    await page.waitForURL(/#\/run\?.*br=/);
  });

  it('shows a state space that is too large to be drawn by its states at each depth', async () => {
    const page = await lab.open('#/check?algorithm=chang-roberts&nodes=5');
    await page.locator('.depth-chart svg').waitFor();
    const algorithm = findAlgorithm('chang-roberts');
    if (algorithm === undefined) throw new Error('there is no Chang–Roberts');
    const { depth, states } = check(algorithm, { nodes: 5 });
    const counts = await page
      .locator('#depths tbody td:last-child')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
    expect(counts).toHaveLength(depth + 1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(states);
  });

  it('cancels a search and says what it covered', async () => {
    const page = await lab.open('#/check?algorithm=dolev-klawe-rodeh&nodes=12&reduce=none');
    await page.getByText(/states so far/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/Cancelled after [\d,]+ states.*not a proof/).waitFor();
  });

  it('says what cannot be searched, with a way back', async () => {
    const page = await lab.open('#/check?algorithm=chang-roberts&nodes=3&topology=complete');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Use the defaults' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Verdict' }).textContent(), { timeout: 30_000 })
      .toContain('Every schedule');
  });

  it('answers the adversary on the page Run: which step can still break the election, and how', async () => {
    const page = await lab.open('#/run?algorithm=peterson-without-max&ids=1,2&schedule=random&t=1');
    await page.getByText('You choose').click();
    await page.getByRole('button', { name: 'Ask the checker' }).click();
    await page.getByText(/Checker: step \d+ can lead to a violation/).waitFor();
    await page.getByRole('button', { name: 'Show me' }).click();
    await page.waitForURL(/br=/);
  });
});
