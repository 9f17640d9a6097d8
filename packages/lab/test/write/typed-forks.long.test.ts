import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { registry } from '../../../study/src/algorithms/index.ts';
import { forkOf, sourcePath } from '../../src/page/write/code/fork.ts';
import { loadTypeErrors } from './load-type-errors.ts';

const FOLDER = new URL('../../../study/src/algorithms/', import.meta.url);
const PATHS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });

it('no fork of the catalogue has a type error', async () => {
  const errorsOf = await loadTypeErrors();
  for (const { name } of registry) {
    const text = await forkOf(sourcePath(name, PATHS), (path) => readFile(new URL(path, FOLDER), 'utf8'));
    expect({ name, errors: errorsOf(text) }).toEqual({ name, errors: [] });
  }
});
