import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../source-file.ts';

/** What the tests read of package.json. */
export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
}

export function readManifest(root = ROOT): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** The source file from which a file of dist/ is built. */
export function sourceOf(built: string): string {
  return built
    .replace(/^\.\//, '')
    .replace(/^dist\//, 'src/')
    .replace(/\.js$/, '.ts');
}

/** The sources that a user can reach directly: the doors of `exports` and the commands of `bin`. */
export function entrySources({ exports, bin }: Manifest): string[] {
  return [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)].map(sourceOf);
}
