import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { describeWith } from '../../../../../test-kit/programs/describe-with.ts';
import { findBrowser } from '../../../src/cli/picture/browser.ts';

const folder = temporaryFolder();
const draw = (...args: string[]) => hustings(['simulate', 'peterson', '--nodes', '6', ...args], folder.path);
const text = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

describe('--svg-network', () => {
  it('writes one SVG document and prints its path', () => {
    const { status, stdout } = draw('--svg-network', 'network.svg');
    expect(status).toBe(0);
    expect(stdout).toMatch(/network: network\.svg\n$/);
    expect(text('network.svg')).toMatch(/^<svg [^>]*viewBox="0 0 1280 720"[\s\S]*<\/svg>\n$/);
  });

  it('draws frames, in dark colours and without a background', () => {
    draw('--svg-network', 'strip.svg', '--frames', '4', '--dark', '--transparent', '--size', 'page');
    const strip = text('strip.svg');
    expect(strip.match(/step \d+ of \d+/g)).toHaveLength(4);
    expect(strip).toContain('viewBox="0 0 960 720"');
    expect(strip).not.toContain('width="100%"');
    expect(strip).toContain('#e8ebee');
  });

  it('an animation is an SVG, and nothing else', () => {
    expect(draw('--svg-animation', 'run.svg').stdout).toMatch(/animation: run\.svg\n$/);
    expect(text('run.svg')).toContain('@keyframes');
    expect(draw('--svg-animation', 'run.png').stderr).toContain(
      "--svg-animation must be an .svg file, not 'run.png'",
    );
  });

  it('the states that it needs do not enter a trace', () => {
    const { stdout } = draw('--svg-network', 'traced.svg', '--trace');
    expect(stdout).toContain(' deliver ');
    expect(stdout).not.toContain(' state ');
  });

  it.each([
    [['--frames', '3'], '--frames needs --svg-network: give both'],
    [['--dark'], '--dark needs --svg, --svg-network or --svg-animation: give both'],
    [
      ['--svg-network', 'x.svg', '--frames', 'many'],
      "--frames must be a whole number, as in 6, or 'decisions', not 'many'",
    ],
    [['--svg-network', 'x.svg', '--nodes', '65'], 'a picture of a network holds at most 64 nodes, not 65'],
  ])('%j is refused in one line', (args, problem) => {
    const { status, stderr } = draw(...args);
    expect(stderr).toContain(problem);
    expect(status).toBe(2);
  });
});

describe('PNG and PDF', () => {
  it('name what to install if there is no browser', () => {
    expect(() => findBrowser({ PATH: '/nowhere' })).toThrow(
      'install chromium or Google Chrome, set CHROME_PATH',
    );
    expect(() => findBrowser({ CHROME_PATH: '/nowhere' })).toThrow(
      "CHROME_PATH must be the path of a Chromium browser, not '/nowhere'",
    );
  });
});

await describeWith('chromium', 'PNG and PDF through Chromium', () => {
  it('are chosen by the ending of the file, for both pictures', () => {
    const { status, stderr } = draw('--svg-network', 'network.PNG', '--svg', 'diagram.pdf');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const png = readFileSync(join(folder.path, 'network.PNG'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Twice the size of the slide.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2560, 1440]);
    expect(text('diagram.pdf').slice(0, 5)).toBe('%PDF-');
  });
});
