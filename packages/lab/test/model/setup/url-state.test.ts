import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETUP, type LabSetup } from '../../../src/model/setup/lab-setup.ts';
import { problemOf, SETUP_PARAMETERS } from '../../../src/model/setup/parameters.ts';
import { decodeLink, defaultNodes, encodeLink, PAGES } from '../../../src/model/setup/url-state.ts';
import { anySetup } from './setups.ts';

const anyExtra = fc
  .dictionary(fc.string({ minLength: 1 }), fc.string())
  .filter((extra) =>
    Object.keys(extra).every((name) => !['v', 'algorithm', ...SETUP_PARAMETERS].includes(name)),
  );

describe('a link', () => {
  it('carries every setup, page and parameter there and back', () => {
    fc.assert(
      fc.property(anySetup, fc.constantFrom(...PAGES), anyExtra, (setup, page, extra) => {
        // The number of nodes that a page has by default is not in its links.
        fc.pre(setup.nodes !== defaultNodes(page, setup));
        const link = encodeLink({ page, setup, extra });
        const { problems, ...state } = decodeLink(link);
        expect(problems).toEqual([]);
        expect({ ...state, extra: { ...state.extra } }).toEqual({ page, setup, extra: { ...extra } });
        expect(encodeLink(state)).toBe(link);
      }),
    );
  });

  it('gives a setup that can be resolved, whatever it says', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('1.5', '-1', '1e9', '3,3', '0@0', '99@1', 'ring', 'grid:2x3', 'x=1'),
    );
    const pair = fc.tuple(fc.constantFrom('algorithm', ...SETUP_PARAMETERS), value);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
        const link = `#/run?${pairs.map(([name, text]) => `${name}=${text}`).join('&')}`;
        const { setup, page, extra } = decodeLink(link);
        expect(problemOf(setup)).toBeNull();
        const again = encodeLink({ page, setup, extra });
        expect(decodeLink(again)).toEqual({ page, setup, extra, problems: [] });
      }),
    );
  });

  it('keeps a number of nodes that is the default of another page only', () => {
    const setup: LabSetup = { algorithm: 'peterson', nodes: 8 };
    expect(encodeLink({ page: 'run', setup, extra: {} })).toBe('#/run?algorithm=peterson');
    const link = encodeLink({ page: 'check', setup, extra: {} });
    expect(link).toBe('#/check?algorithm=peterson&nodes=8');
    expect(decodeLink(link).setup).toEqual(setup);
  });

  it('leaves out defaults, and keeps commas and at signs readable', () => {
    expect(encodeLink({ page: 'run', setup: DEFAULT_SETUP, extra: {} })).toBe('#/run');
    const setup: LabSetup = {
      ...({
        algorithm: 'chang-roberts',
        ids: [8, 4, 7],
        initiators: 'all',
        schedule: 'random',
        seed: 49,
      } as const),
      ...{ crash: [{ position: 2, time: 2.5 }], set: { extremum: 'min' } },
    };
    expect(encodeLink({ page: 'run', setup, extra: { t: '13', br: undefined } })).toBe(
      '#/run?ids=8,4,7&schedule=random&seed=49&crash=2@2.5&set=extremum%3Dmin&t=13',
    );
    expect(decodeLink('#/run?seed=1&schedule=lockstep&nodes=8&order=random').setup).toEqual(DEFAULT_SETUP);
  });

  it.each([
    [
      'nodes=1.5',
      'nodes',
      '`nodes` must be a whole number from 1 to 1,000,000, not 1.5. The default 8 is used.',
    ],
    [
      'nodes=2000000',
      'nodes',
      '`nodes` must be a whole number from 1 to 1,000,000, not 2000000. The default 8 is used.',
    ],
    ['algorithm=chang', 'algorithm', "There is no algorithm 'chang'. Chang–Roberts is used."],
    ['ids=1,1', 'ids', '`ids` must differ, and 1 is given twice. The default is used.'],
    ['crash=99@0', 'crash', 'A position in crash must be from 0 to 7, not 99. The default is used.'],
    [
      'schedule=file:x',
      'schedule',
      "`schedule` must be lockstep, random or random:nofifo, not 'file:x'. Lockstep is used.",
    ],
    ['topology=edges:x', 'topology', /without a file/],
    ['topology=cube', 'topology', /^`topology` must be one of ring/],
    ['set=speed=1', 'set', /^Chang-roberts has no parameter 'speed'/],
    ['despite=gravity', 'despite', /not 'gravity'\. It is left out\.$/],
    ['until=soon', 'until', "`until` must be a time, as in 50, not 'soon'. The default is used."],
    ['v=9&nodes=4', 'v', 'This link has version 9, and this lab reads version 1. The default setup is used.'],
  ])('with %s reports the parameter and uses the default', (query, parameter, text) => {
    const { problems, setup } = decodeLink(`#/run?${query}`);
    expect(problems).toEqual([{ parameter, text: expect.stringMatching(text) }]);
    expect(setup).toEqual(DEFAULT_SETUP);
  });

  it('keeps what is right beside what is wrong', () => {
    const { problems, setup } = decodeLink(
      '#/check?algorithm=peterson&nodes=5&seed=x&crash=7@0&schedule=random',
    );
    expect(problems.map(({ parameter }) => parameter)).toEqual(['seed', 'crash']);
    expect(setup).toEqual({ algorithm: 'peterson', nodes: 5, schedule: 'random' });
  });

  it('to a page that does not exist shows Run', () => {
    expect(decodeLink('#/runn')).toMatchObject({
      page: 'run',
      problems: [{ parameter: 'page', text: "There is no page 'runn'. The page Run is shown." }],
    });
    expect(decodeLink('')).toMatchObject({ page: 'run', problems: [] });
  });

  it('is read although its percent-encoding is broken', () => {
    expect(decodeLink('#/run?code=%E0%A4%A').extra).toEqual({ code: '%E0%A4%A' });
  });
});
