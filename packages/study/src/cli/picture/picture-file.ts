/** The file of a picture. Its ending chooses the format: .png and .pdf are converted by a browser, all others are SVG. */
import { outputOf } from '@hustings/base/command/user-files';
import { convertSvg, findBrowser, type RasterFormat } from './browser.ts';

export interface PictureFile {
  readonly path: string;
  write(svg: string): Promise<void>;
}

/** Checks that the file can be written and that its format can be made, before any work is done. */
export function pictureOf(option: string, path: string | undefined): PictureFile | null {
  const file = outputOf(option, path);
  if (file === null) return null;
  const format = formatOf(file.path);
  if (format === null) return { path: file.path, write: async (svg) => file.write(svg) };
  const browser = findBrowser();
  return { path: file.path, write: async (svg) => file.write([await convertSvg(svg, format, browser)]) };
}

/** Null for SVG. */
export function formatOf(path: string): RasterFormat | null {
  const ending = /\.(png|pdf)$/i.exec(path)?.[1].toLowerCase();
  return ending === 'png' || ending === 'pdf' ? ending : null;
}
