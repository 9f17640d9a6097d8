/** The options of every picture: size, theme, background. */

import { mapDefined, parseChoice } from '@hustings/base';
import type { FlagsOf } from '@hustings/base/command/option-table';
import { DEFAULT_STYLE, type PictureStyle } from '../../drawing/index.ts';
import { InputError } from '../../kernel/index.ts';

export const PICTURE_OPTIONS = {
  '--size <SIZE>': 'size of the pictures: slide (16:9), page (4:3) or poster (default: slide)',
  '--dark': 'draw light on dark',
  '--transparent': 'draw without a background',
} as const;

export type PictureFlags = FlagsOf<typeof PICTURE_OPTIONS>;

/** `drawsNothing` if no option asks for a picture; `needed` names an option that does. */
export function readPictureStyle(flags: PictureFlags, drawsNothing: boolean, needed = '--svg'): PictureStyle {
  const given = (['size', 'dark', 'transparent'] as const).find((name) => flags[name] !== undefined);
  if (drawsNothing && given !== undefined) throw new InputError(`--${given} needs ${needed}: give both`);
  return {
    size:
      mapDefined(flags.size, (text) => parseChoice('size', ['slide', 'page', 'poster'], text)) ??
      DEFAULT_STYLE.size,
    theme: flags.dark ? 'dark' : 'light',
    transparent: flags.transparent ?? false,
  };
}
