import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { closeServer } from '../../src/http/listen.ts';
import { listenOnSocket } from '../../src/http/listen-on-socket.ts';

const folder = temporaryFolder();
const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) server.close();
});
let count = 0;
const freshPath = (): string => join(folder.path, `sock-${count++}`);
/** Everything that begins with the path: the socket, and what was left beside it. */
const filesAt = (path: string): string[] =>
  readdirSync(folder.path).filter((file) => join(folder.path, file).startsWith(path));

async function listen(path: string) {
  const server = createServer();
  opened.push(server);
  const remove = await listenOnSocket(server, path);
  const close = (): Promise<void> => {
    remove();
    return closeServer(server, async () => undefined);
  };
  return { server, close };
}

const isReachable = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

/** A process that is killed leaves its socket behind. */
function leaveBehind(path: string): void {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  runProcess(process.execPath, ['-e', script]);
  expect(statSync(path).isSocket()).toBe(true);
}

describe('a server on a Unix-domain socket', () => {
  it('is for its user alone, and leaves no file', async () => {
    const path = freshPath();
    const { close } = await listen(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(filesAt(path)).toHaveLength(1);
    expect(await isReachable(path)).toBe(true);
    await close();
    expect(filesAt(path)).toEqual([]);
  });

  it('that ends does not remove the socket of its successor', async () => {
    const path = freshPath();
    const first = await listen(path);
    // By a start script, for example.
    rmSync(path);
    const second = await listen(path);
    await first.close();
    expect(await isReachable(path)).toBe(true);
    await second.close();
    expect(filesAt(path)).toEqual([]);
  });

  it('takes the place of one that was killed: of several that start together exactly one', async () => {
    const path = freshPath();
    leaveBehind(path);
    const started = await Promise.allSettled(Array.from({ length: 8 }, () => listen(path)));
    const winners = started.filter(({ status }) => status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const reasons = started.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
    expect(new Set(reasons)).toEqual(new Set([`the socket ${path} is in use; use another one`]));
    expect(await isReachable(path)).toBe(true);
    expect(filesAt(path)).toHaveLength(1);
  });
});

describe('a path is refused, with what to do,', () => {
  it('if its folder does not exist', async () => {
    const path = join(folder.path, 'missing/sock');
    await expect(listen(path)).rejects.toThrow(
      `the folder of the socket ${path} does not exist; create it, or use another path`,
    );
  });

  it.each(['a file', 'a folder'])('if it is %s', async (kind) => {
    const path = freshPath();
    if (kind === 'a file') writeFileSync(path, 'data');
    else mkdirSync(path);
    await expect(listen(path)).rejects.toThrow(
      `${path} exists and is not a socket; remove it, or use another path`,
    );
    if (kind === 'a file') expect(readFileSync(path, 'utf8')).toBe('data');
    expect(filesAt(path)).toHaveLength(1);
  });

  it('if it is longer than a socket may be, and nothing is left', async () => {
    const path = join(folder.path, 'x'.repeat(120));
    await expect(listen(path)).rejects.toThrow(/has a path of more than \d+ bytes; use a shorter one/);
    expect(filesAt(path)).toEqual([]);
  });
});
