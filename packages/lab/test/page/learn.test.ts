import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LESSONS } from '../../src/model/lessons/index.ts';
import type { LessonAct } from '../../src/model/lessons/lesson.ts';
import { lessonText } from '../../src/model/lessons/lesson-stage.ts';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab({ windows: true });

/** An action of a lesson as a reader does it. Ids are moved by keyboard: lifted, moved, dropped. */
async function perform(page: Page, act: LessonAct): Promise<void> {
  if (act.type === 'seek') await page.getByLabel('Position in the run').fill(String(act.position));
  else if (act.type === 'take') {
    let choice = page.locator('.step-choice');
    for (const part of act.parts) choice = choice.filter({ hasText: part });
    await choice.first().click();
  } else if (act.type === 'seed') {
    await page.getByLabel('seed').fill(String(act.seed));
    await page.getByLabel('seed').press('Enter');
  } else if (act.type === 'split') {
    for (const at of act.nodes) await page.locator('.lesson-split input').nth(at).check();
  } else if (act.type === 'choose')
    await page.locator('.lesson-text .segmented input').nth(act.choice).check();
  else await reorder(page, act.ids);
}

async function reorder(page: Page, ids: readonly number[]): Promise<void> {
  for (const [at, id] of ids.entries()) {
    const shown = await page.locator('.reorder-item').allTextContents();
    const from = shown.indexOf(String(id));
    if (from === at) continue;
    await page.locator('.reorder-item').nth(from).press('Enter');
    for (let k = from; k > at; k--) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
  }
}

/** The parts are in this order from top to bottom, and no two overlap. */
async function expectBelowEachOther(page: Page, selectors: readonly string[]): Promise<void> {
  for (const [at, lower] of selectors.entries()) {
    if (at === 0) continue;
    const upper = selectors[at - 1];
    await expect
      .poll(() =>
        page.evaluate<number>(`(() => { const [upper, lower] = ${JSON.stringify([upper, lower])}
          .map((selector) => document.querySelector(selector).getBoundingClientRect());
          return lower.top - upper.bottom; })()`),
      )
      .toBeGreaterThanOrEqual(-1);
  }
}

describe('the page Learn', () => {
  it('walks all eleven lessons to their end by their own actions, with Next alone between the steps', async () => {
    const page = await lab.open('#/learn');
    await expect.poll(() => page.locator('.lesson-list li').count()).toBe(11);
    await expectAccessible(page);
    await page.getByRole('link', { name: LESSONS[0].title }).click();
    for (const [number, lesson] of LESSONS.entries()) {
      for (const [k, step] of lesson.steps.entries()) {
        await page.getByText(`Lesson ${number + 1} of 11, step ${k + 1} of ${lesson.steps.length}`).waitFor();
        await expect.poll(() => page.locator('h1').textContent()).toBe(lesson.title);
        if (step.task !== undefined) {
          const feedback = page.locator('.lesson-feedback');
          await expect.poll(() => feedback.getAttribute('data-reached')).toBe('false');
          for (const act of step.task.solution) await perform(page, act);
          await page.locator('.lesson-feedback[data-reached=true]').waitFor();
          await expect.poll(() => feedback.textContent()).toContain('✓ Done.');
        }
        const isLast = lesson === LESSONS.at(-1) && k === lesson.steps.length - 1;
        await page.getByRole('button', { name: isLast ? 'All lessons' : / →$/ }).click();
      }
    }
    await expect.poll(() => page.locator('.lesson-done').count()).toBe(11);
    await page.reload();
    await page.locator('.lesson-list').waitFor();
    await expect.poll(() => page.locator('.lesson-done').count()).toBe(11);
  });

  it('does not accept a wrong action, never locks Next, starts again, and reads its place from the link', async () => {
    const page = await lab.open('#/learn?lesson=bully&step=3');
    const wrong = LESSONS.find(({ name }) => name === 'bully')?.steps[2].task?.wrong ?? [];
    for (const act of wrong) await perform(page, act);
    await expect.poll(() => page.locator('.lesson-feedback').textContent()).toBe('Id 4 leads.');
    await page.locator('.lesson-split input').nth(0).check();
    await page.locator('.lesson-feedback[data-reached=true]').waitFor();
    // The setup is part of the link: reload, back button, and no such parameter in the next step.
    await page.waitForURL(/change=0,4/);
    await page.reload();
    await page.locator('.lesson-feedback[data-reached=true]').waitFor();
    await page.goBack();
    await page.locator('.lesson-feedback[data-reached=false]').waitFor();
    expect(page.url()).toMatch(/change=4/);
    await page.goForward();
    await page.locator('.lesson-feedback[data-reached=true]').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('.lesson-feedback[data-reached=false]').waitFor();
    expect(page.url()).not.toContain('change');
    await page.locator('.lesson-split input').nth(0).check();
    await page.waitForURL(/change=0/);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectBelowEachOther(page, ['.network-frame', '.run-narration', '.space-time-frame', '.transport']);
    // Too narrow for the heads of the rows: no diagram, and no error in the console.
    await page.setViewportSize({ width: 1, height: 844 });
    await expect.poll(() => page.evaluate('innerWidth')).toBe(1);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('.space-time svg').first().waitFor();
    await page.keyboard.press('PageDown');
    await page.waitForURL(/lesson=majorities$/);
    await page.keyboard.press('PageUp');
    await page.waitForURL(/lesson=bully&step=3/);
    expect(page.url()).not.toContain('change');
    // So are the cursor, and below the steps that the reader took. Where the lesson begins the link has neither.
    const place = page.locator('.transport-place');
    const begin = await place.textContent();
    await page.keyboard.press('Home');
    await page.waitForURL(/step=3&t=0$/);
    await page.reload();
    await expect.poll(() => place.textContent()).toMatch(/^step 0 of/);
    await page.keyboard.press('End');
    await page.waitForURL(/step=3$/);
    expect(await place.textContent()).toBe(begin);
    await page.goto(`${lab.server.url}#/learn?lesson=bully&step=3&change=9`);
    await page.getByText('`change` does not fit this step: 9.').waitFor();
    // On a slow machine the page finds this between the two events by which the browser reports one step.
    await page.evaluate("dispatchEvent(new Event('hashchange'))");
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    expect(await page.getByText('`change` does not fit this step: 9.').count()).toBe(1);
    await page.goto(`${lab.server.url}#/learn?lesson=majorities&step=3`);
    const { solution = [] } = LESSONS.find(({ name }) => name === 'majorities')?.steps[2].task ?? {};
    for (const act of solution) await perform(page, act);
    await page.locator('.lesson-feedback[data-reached=true]').waitFor();
    await page.waitForURL(/br=/);
    await page.reload();
    await page.locator('.lesson-feedback[data-reached=true]').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('.lesson-feedback[data-reached=false]').waitFor();
    await page.waitForURL(/step=3$/);
    await page.goto(`${lab.server.url}#/learn?lesson=nothing`);
    await page.getByText("There is no lesson 'nothing'.").waitFor();
  });

  it('presents: keys, blank, notes in a second window that follow, and Esc', async () => {
    const page = await lab.open('#/learn?lesson=worst-order', { viewport: { width: 1920, height: 1080 } });
    await page.locator('.lesson').waitFor();
    await page.keyboard.press('p');
    await page.locator('.presenter').waitFor();
    const line = page.locator('.presenter h1');
    await expect.poll(() => line.textContent()).toBe(LESSONS[2].steps[0].line);
    await expect.poll(() => page.locator('.presenter .lesson-numbers > div').count()).toBeLessThanOrEqual(3);
    await expect.poll(() => page.locator('.token-ways [data-end=discarded]').count()).toBe(7);
    await expectAccessible(page);
    const [notes] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('n')]);
    await notes.getByText(LESSONS[2].steps[0].notes).waitFor();
    await page.bringToFront();
    await page.keyboard.press('PageDown');
    await page.getByRole('heading', { name: LESSONS[2].steps[1].line }).waitFor();
    await notes.getByText(LESSONS[2].steps[1].notes).waitFor();
    await notes.keyboard.press('PageDown');
    await page.getByRole('heading', { name: LESSONS[2].steps[2].line }).waitFor();
    await page.keyboard.press('b');
    await expect.poll(() => line.isVisible()).toBe(false);
    await page.keyboard.press('b');
    await expect.poll(() => line.isVisible()).toBe(true);
    // At 200 % zoom the sizes of a hall do not fit, and the page scrolls.
    await page.setViewportSize({ width: 640, height: 400 });
    await expectBelowEachOther(page, ['.presenter h1', '.presenter dl', '.network-frame', '.presenter-keys']);
    expect(
      await page.evaluate("document.querySelector('.presenter h1').getBoundingClientRect().top"),
    ).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.locator('.lesson').waitFor();
    expect(page.url()).toContain('step=3');
  });

  it('prints a handout with the text of every step and without the page around it', async () => {
    const page = await lab.open('#/learn?lesson=doubling');
    await page.locator('.lesson').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // biome-ignore lint/performance/useDomNodeTextContent: what is printed, not what is hidden
    const seen = await page.locator('body').innerText();
    const { figures, steps, title } = LESSONS[3];
    expect(seen).toContain(title);
    for (const { line, task, text } of steps) {
      for (const each of [line, ...text, task?.question ?? ''])
        expect(seen).toContain(lessonText(each, figures()));
    }
    expect(seen).not.toContain('Start again');
    expect(seen).not.toContain('Present');
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
