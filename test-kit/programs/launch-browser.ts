import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../packages/study/src/cli/picture/browser.ts';
import { missing, programPath } from './programs.ts';

/**
 * The browser of this machine, which is installed first if the tests may do so. Without windows it is the headless shell, where
 * there is one: the same engine in two thirds of the time, in which every page has the focus.
 */
export async function launchBrowser({ windows = false } = {}): Promise<Browser> {
  await missing('chromium');
  const shell = windows ? undefined : programPath('chromium-headless-shell');
  return chromium.launch({ executablePath: shell ?? findBrowser(), args: ['--no-sandbox'] });
}
