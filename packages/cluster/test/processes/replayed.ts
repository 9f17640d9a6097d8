/** The replay of recordings, and what is wrong in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../../../../test-kit/command.ts';
import { secondVotes } from './evidence.ts';

export interface JudgedReplay {
  readonly steps: number;
  readonly wrongs: readonly string[];
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

interface ReplayReport {
  readonly clean: boolean;
  readonly steps: number;
  /** Missing in an error. */
  readonly runs?: readonly { readonly violation: { readonly property: string } | null }[];
}

/**
 * Every recorded step must be one that the algorithm may take, and nobody votes twice in a term. A member whose folder does not
 * last may, when its first vote counts no more.
 */
export async function judgeReplay(
  recordings: string,
  replay: (args: readonly string[]) => Promise<Ended>,
  isEphemeral = false,
): Promise<JudgedReplay> {
  const wrongs: string[] = [];
  const { status, stderr, stdout } = await replay(['replay', recordings, '--json']);
  const report = stdout === '' ? null : (JSON.parse(stdout) as ReplayReport);
  if (report === null || status !== 0 || !report.clean) {
    const found = report?.runs?.flatMap(({ violation }) => violation ?? []) ?? [];
    wrongs.push(
      `replay ends with ${status}: ${stderr}${report?.runs === undefined ? stdout : JSON.stringify(found)}`,
    );
  }
  const texts = readdirSync(recordings).map((file) => ({
    file,
    text: readFileSync(join(recordings, file), 'utf8'),
  }));
  if (!isEphemeral) for (const { text } of texts) wrongs.push(...secondVotes(text));
  return { steps: report?.steps ?? 0, wrongs, texts };
}
