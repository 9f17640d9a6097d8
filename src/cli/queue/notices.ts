/** What a command and a worker of a queue tell their user about each other: each notice once, on stderr. */
import { printable } from '../table.ts';
import type { BuildIdentity } from './build-identity.ts';
import type { Participant } from './presence.ts';

/** Prints each line once. */
export class NoticeLog {
  private readonly printed = new Set<string>();

  /** `key` identifies the notice if its text may differ. */
  print(text: string, key = text): void {
    if (this.printed.has(key)) return;
    this.printed.add(key);
    // Names come from other machines.
    console.error(`hustings: ${printable(text)}`);
  }

  /** The connection was lost or is back. */
  trouble(error: Error): void {
    this.print(`${error.message}; trying again`, error.message);
  }
}

interface CommandView {
  readonly build: BuildIdentity;
  readonly label: string;
  readonly hasFiles: boolean;
}

/** For a command, which waits if no worker can compute its work. */
export function noticesForCommand(
  { build, label, hasFiles }: CommandView,
  all: readonly Participant[],
): string[] {
  const workers = all.filter(({ type }) => type === 'worker');
  const own = workers.filter((worker) => worker.build === build.hash);
  const others = workers.filter((worker) => worker.build !== build.hash);
  const lines = others.map(
    ({ id, buildText }) =>
      `worker ${id} takes no part: it is ${buildText}, and this is ${build.text}; install the same version on both`,
  );
  const start = `hustings worker --queue ${label}`;
  if (own.length === 0) lines.push(`no worker of this version is connected; start one: ${start}`);
  else if (hasFiles && !own.some(({ files }) => files)) {
    lines.push(`no connected worker accepts your files; start one: ${start} --allow-files`);
  }
  return lines;
}

/** For a worker, which takes no part in the work of another version. */
export function noticesForWorker(
  { build, allowFiles }: { readonly build: BuildIdentity; readonly allowFiles: boolean },
  all: readonly Participant[],
): string[] {
  return all
    .filter(({ type }) => type === 'command')
    .flatMap(({ id, build: other, buildText, files }) => {
      if (other !== build.hash) {
        return [
          `command ${id} is not served: it is ${buildText}, and this is ${build.text}; install the same version on both`,
        ];
      }
      return files && !allowFiles
        ? [
            `command ${id} brings files of its user, which this worker does not run; --allow-files allows them`,
          ]
        : [];
    });
}
