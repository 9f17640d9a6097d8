import { posix } from 'node:path';
import { layerOf, type SourceFile } from '../source-file.ts';

/** The layers that run any algorithm and may not name one. */
export const NAMELESS = ['study/simulator', 'study/checker', 'cluster'];

/** The names of the algorithms, in kebab-case, from the names of the files that define one. */
export function algorithmNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => layerOf(path) === 'study/algorithms' && text.includes('defineAlgorithm({'))
    .map(({ path }) => posix.basename(path, '.ts'));
}

/** Lower-case words with single spaces: `ChangRoberts`, `chang-roberts` and `Chang–Roberts` become equal. */
function plainWords(text: string): string {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return ` ${split.split(/[^a-z0-9]+/).join(' ')} `;
}

/** Places in those layers that name an algorithm, in code, comment or string. */
export function namedAlgorithms(files: readonly SourceFile[], names: readonly string[]): string[] {
  const forms = names.map((name) => ({
    name,
    spaced: plainWords(name),
    glued: ` ${name.replaceAll('-', '')} `,
  }));
  return files
    .filter(({ path }) => NAMELESS.includes(layerOf(path)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const words = plainWords(line);
        return forms
          .filter(({ spaced, glued }) => words.includes(spaced) || words.includes(glued))
          .map(({ name }) => `${path}:${index + 1} names the algorithm ${name}`);
      }),
    );
}
