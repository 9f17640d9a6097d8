import { describe, expect, it } from 'vitest';
import { describeWith } from '../../../../../test-kit/programs/describe-with.ts';
import { launchBrowser } from '../../../../../test-kit/programs/launch-browser.ts';
import { networkAnimation } from '../../../src/drawing/index.ts';
import { algorithmNamed, recorded } from './recorded-run.ts';

const run = recorded(algorithmNamed('chang-roberts'), { nodes: 5, order: 'descending' });

describe('an animated run', () => {
  const svg = networkAnimation(run);

  it('moves each message once', () => {
    const sent = run.events.filter(({ type }) => type === 'send').length;
    expect(svg.match(/@keyframes m\d+\{/g)).toHaveLength(sent);
    expect(svg.match(/class="m m\d+"/g)).toHaveLength(sent);
  });

  it('needs no script, loads nothing, and stands still with reduced motion', () => {
    expect(svg).not.toMatch(/<script|href=|url\(|@import/);
    expect(svg).toContain('@media (prefers-reduced-motion:reduce){*{animation:none!important}}');
  });

  it('keeps all keyframes within the run, in order', () => {
    for (const [, body] of svg.matchAll(/@keyframes \w+\{(.*)\}$/gm)) {
      const percents = [...body.matchAll(/([\d.]+)%\{/g)].map(([, percent]) => Number(percent));
      expect(percents).toEqual([...percents].sort((a, b) => a - b));
      expect(percents.at(-1)).toBeLessThanOrEqual(100);
    }
  });

  it('refuses a run with too many moments', () => {
    const long = recorded(algorithmNamed('chang-roberts'), {
      nodes: 40,
      order: 'descending',
      schedule: 'random',
    });
    expect(() => networkAnimation(long)).toThrow(/an animation holds at most 400 moments, not \d+/);
  });
});

await describeWith('chromium', 'an animated run in Chromium', () => {
  it('shows the leader only at the end, or at once with reduced motion', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      // The last star is that of the legend.
      const leaders = (seconds: number | null) =>
        page.evaluate<{ shown: number; animations: number }>(`(() => {
          const all = document.getAnimations();
          if (${seconds} !== null) for (const animation of all) {
            animation.pause();
            animation.currentTime = 1000 * ${seconds};
          }
          const stars = [...document.querySelectorAll('path[stroke-linejoin=round]')].slice(0, -1);
          const shown = stars.filter((star) => getComputedStyle(star).visibility === 'visible');
          return { shown: shown.length, animations: all.length };
        })()`);
      await page.setContent(networkAnimation(run));
      expect(await leaders(1)).toMatchObject({ shown: 0 });
      const length = Number(/\.m0\{animation:m0 ([\d.]+)s/.exec(networkAnimation(run))?.[1]);
      const end = await leaders(length - 0.5);
      expect(end.shown).toBe(1);
      expect(end.animations).toBeGreaterThan(10);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await leaders(null)).toEqual({ shown: 1, animations: 0 });
    } finally {
      await browser.close();
    }
  });
});
