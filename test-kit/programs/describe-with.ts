import { describe } from 'vitest';
import { missing, type Program } from './programs.ts';

/** `describe` for what needs a program: skipped with the reason in its title where there is none. */
export async function describeWith(program: Program, title: string, body: () => void): Promise<void> {
  const reason = await missing(program);
  if (reason === undefined) describe(title, body);
  else describe.skip(`${title} (skipped: ${reason})`, body);
}
