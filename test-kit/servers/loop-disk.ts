/**
 * A small disk of its own, which a test can freeze: a file with ext4, mounted through a loop device. While it is frozen, writes
 * to it hang, and the processes that write cannot even be killed.
 *
 * Guaranteed: after `remove()`, and also when the process that made it ends in any way, the disk is thawed and unmounted, and
 * its file is gone. A keeper, a shell that is nobody's child, sees to it. Not guaranteed: the same if the keeper is killed.
 */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { startProcess } from '../limits/child-process.ts';
import { RUN_MARK } from '../limits/process-tree.ts';

export interface LoopDisk {
  readonly path: string;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/** In the background of a shell that ends: who kills the tree of a test that stands still must not kill the keeper. */
const KEEPER = `keep() {
  trap '' INT TERM HUP
  cd "$1" && truncate -s 300M image && mkfs.ext4 -q -F image && mkdir disk && mount -o loop image disk && echo done &&
    while read -r option; do fsfreeze "$option" disk && echo done || break; done
  fsfreeze -u disk 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    mountpoint -q disk || break
    umount disk 2>/dev/null || sleep 1
  done
  mountpoint -q disk && umount -l disk
  rm -rf --one-file-system "$1"
}
keep "$1" <&3 >&3 2>&3 &`;

/** Rejects with what the system said if it does not allow this: it needs root, mkfs.ext4, fsfreeze and a loop device. */
export async function startLoopDisk(): Promise<LoopDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-disk-'));
  const { [RUN_MARK]: _, ...env } = process.env;
  const keeper = startProcess('sh', ['-c', KEEPER, 'keeper', folder], {
    // Node closes the standard input of a process that has ended, but no other pipe.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...env, PATH: `${env.PATH}:/usr/sbin:/sbin` },
  });
  const pipe = keeper.stdio[3] as Duplex;
  pipe.on('error', () => undefined);
  const lines = createInterface({ input: pipe })[Symbol.asyncIterator]();
  const isDone = async (): Promise<void> => {
    const said: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (value === 'done') return;
      if (done) throw new Error(`no disk that can be frozen: ${said.join('; ') || 'the shell said nothing'}`);
      said.push(value);
    }
  };
  const order = (option: string): Promise<void> => {
    pipe.write(`${option}\n`);
    return isDone();
  };
  await isDone();
  return {
    path: join(folder, 'disk'),
    freeze: () => order('-f'),
    thaw: () => order('-u'),
    async remove() {
      const ended = once(pipe, 'close');
      pipe.end();
      await ended;
    },
  };
}

/** Undefined if this machine allows a disk that can be frozen; else why it does not. */
export async function missingLoopDisk(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a loop mount needs Linux and root';
  try {
    const disk = await startLoopDisk();
    await disk.freeze();
    await disk.thaw();
    await disk.remove();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
