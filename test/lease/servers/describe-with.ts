import { describe } from 'vitest';
import { missing, type ServerProgram } from './programs.ts';

/** `describe` for what needs a server: skipped with the reason in its title where there is none. */
export async function describeWith(program: ServerProgram, title: string, body: () => void): Promise<void> {
  const reason = await missing(program);
  if (reason === undefined) describe(title, body);
  else describe.skip(`${title} (skipped: ${reason})`, body);
}
