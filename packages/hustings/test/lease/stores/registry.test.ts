import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { parseStoreUrl, STORES, sharedStoreForms, storeForms } from '../../../src/lease/stores/registry.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/hustings/package.json'), 'utf8'));

describe('the registry of stores', () => {
  it.each(STORES)('names the folder, the door, the client library and the docs of $kind', async (store) => {
    const { kind, client, schemes, forms, title } = store;
    expect(manifest.exports[`./lease/${kind}`]?.default.default).toBe(`./dist/lease/stores/${kind}/index.js`);
    if (client !== null) expect(manifest.peerDependenciesMeta[client]).toEqual({ optional: true });
    for (const scheme of schemes)
      expect(parseStoreUrl(`${scheme}://h/x`.replace('sqlite://h/', 'sqlite:')).store).toBe(store);
    for (const form of forms) expect(schemes).toContain(form.split(':')[0]);
    const page = readFileSync(join(ROOT, `docs/stores/${kind}.md`), 'utf8');
    expect(page.split('\n')[0].toLowerCase()).toBe(`# ${title}`.toLowerCase());
    for (const form of forms) expect(page).toContain(form.split(/[A-Z…]/)[0]);
    expect(readFileSync(join(ROOT, 'docs/choosing-a-store.md'), 'utf8')).toContain(`(stores/${kind}.md)`);
    const classes = Object.entries(await store.load()).filter(([, value]) => typeof value === 'function');
    expect(classes.map(([name]) => name)).toEqual([expect.stringMatching(/LeaseStore$/)]);
  });

  it('has every store door of the package', () => {
    const doors = Object.keys(manifest.exports).filter((door) => /^\.\/lease\/(?!fence$)/.test(door));
    expect(doors.sort()).toEqual(STORES.map(({ kind }) => `./lease/${kind}`).sort());
  });

  it('gives each scheme to one store', () => {
    const schemes = STORES.flatMap((store) => store.schemes);
    expect(new Set(schemes).size).toBe(schemes.length);
  });

  it('lists the forms of URLs', () => {
    for (const { forms } of STORES) for (const form of forms) expect(storeForms()).toContain(form);
    expect(storeForms()).toMatch(/^sqlite:PATH, redis:.* or memory:NAME$/);
    expect(sharedStoreForms()).toMatch(/^sqlite:PATH, redis:\/\/…, .* or [a-z]+:.+$/);
    expect(sharedStoreForms()).not.toContain('memory');
  });
});
