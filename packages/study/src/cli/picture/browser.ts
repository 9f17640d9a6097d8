/**
 * Converts SVG to PNG and PDF with a Chromium browser that is installed already. Nothing is downloaded.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { EnvironmentError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];

const MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** A browser may be slow to start on a busy machine. */
const PATIENCE_MS = 120_000;

/** The environment variable that names the browser. */
export const BROWSER_VARIABLE = 'CHROME_PATH';

/** Throws, with what to install, if there is none. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment[BROWSER_VARIABLE];
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const places = named
    ? [named]
    : [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name + suffix))), ...MAC];
  const found = places.find(isExecutable);
  if (found !== undefined) return found;
  throw new EnvironmentError(
    named
      ? `${BROWSER_VARIABLE} must be the path of a Chromium browser, not '${named}'`
      : `no Chromium browser was found: install chromium or Google Chrome, set ${BROWSER_VARIABLE}, or write an .svg file`,
  );
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export type RasterFormat = 'png' | 'pdf';

/** Twice as many pixels as the SVG has units, for sharp text on a projector. */
const SCALE = 2;

export async function convertSvg(svg: string, format: RasterFormat, browser: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-picture-'));
  try {
    const { width, height } = sizeOf(svg);
    const [page, target] = [join(folder, 'page.html'), join(folder, `picture.${format}`)];
    writeFileSync(page, pageOf(svg, width, height));
    const output =
      format === 'png'
        ? [
            `--screenshot=${target}`,
            `--window-size=${width},${height}`,
            `--force-device-scale-factor=${SCALE}`,
            '--default-background-color=00000000',
            '--hide-scrollbars',
          ]
        : [`--print-to-pdf=${target}`, '--no-pdf-header-footer'];
    const isRoot = process.getuid?.() === 0;
    await promisify(execFile)(
      browser,
      [
        ...['--headless', '--disable-gpu', '--no-first-run', `--user-data-dir=${join(folder, 'profile')}`],
        ...(isRoot ? ['--no-sandbox'] : []),
        ...output,
        pathToFileURL(page).href,
      ],
      { timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
    );
    return readFileSync(target);
  } catch (error) {
    throw new EnvironmentError(
      `${browser} cannot write the ${format}: ${reasonOf(error)}; write an .svg file`,
      error,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /<svg[^>]*\bwidth="([\d.]+)"[^>]*\bheight="([\d.]+)"/.exec(svg) ?? [];
  return { width: Math.ceil(Number(width)), height: Math.ceil(Number(height)) };
}

function pageOf(svg: string, width: number, height: number): string {
  const size = `${width}px ${height}px`;
  return `<!doctype html><meta charset="utf-8"><style>@page{size:${size};margin:0}html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`;
}
