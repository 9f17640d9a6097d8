/**
 * A real server as a process of its own, in a folder of its own, on a port of its own.
 *
 * Guaranteed: after `stop()`, and also when the process that started it ends in any way (a test throws, Ctrl-C,
 * kill −9), the server is ended by its pid and its folder removed. A keeper, a shell that waits for the end of a
 * pipe, sees to the latter. Not guaranteed: the same if the keeper itself is killed.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '../../packages/base/src/node/process-table.ts';
import { startProcess } from '../limits/child-process.ts';

export interface TestServer {
  /** As a store is named, with user and password where the server wants them. */
  readonly url: string;
  readonly port: number;
  /** Its data and its log. */
  readonly folder: string;
  /** Another one after `restart()`. */
  readonly pid: number;
  /** Ends the server for good and removes its folder. */
  stop(): Promise<void>;
  /** Resolves when the process is dead. Its folder stays, for `restart()`. */
  kill9(): Promise<void>;
  /** Running or dead: starts it again on the same port and folder; resolves when it answers. */
  restart(how?: 'politely' | 'kill9'): Promise<void>;
  /** SIGSTOP to the server and its children: connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
}

/** How one kind of server is run. */
export interface ServerKind {
  readonly program: string;
  /** Done once, before the first start. */
  prepare?(folder: string): Promise<void>;
  args(folder: string, port: number): readonly string[];
  /** Resolves true when the server answers as it should. */
  answers(port: number): Promise<boolean>;
  url(port: number): string;
  /** The signal that ends it in order. */
  readonly politeSignal: NodeJS.Signals;
  /** The user to run it as, where it may not be the one that runs the tests. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

const START_MS = 60_000;
// In order first, because PostgreSQL leaves shared memory behind when it is killed.
const KEEPER = `trap '' INT TERM HUP; cat >/dev/null
if read -r pid <"$1/pid"; then
  children=$(cat "/proc/$pid/task/$pid/children")
  kill -CONT $pid $children; kill -s "$2" $pid
  for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 $pid || break; sleep 0.3; done
  kill -9 $pid $children
fi 2>/dev/null
rm -rf "$1" || { sleep 1; rm -rf "$1"; }`;

export async function startServer(kind: ServerKind): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-server-'));
  // The server may run as another user, who must get through.
  chmodSync(folder, 0o755);
  const keeper = startProcess('sh', ['-c', KEEPER, 'keeper', folder, kind.politeSignal.slice(3)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  keeper.unref();
  const pipe = keeper.stdin as unknown as { unref(): void; end(): void };
  pipe.unref();

  let port = 0;
  let child: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    const log = openSync(join(folder, 'log'), 'a');
    const started = startProcess(kind.program, kind.args(folder, port), {
      stdio: ['ignore', log, log],
      cwd: folder,
      detached: true,
      env: { ...process.env, HOME: folder },
      ...kind.user,
    });
    started.unref();
    started.on('error', () => undefined);
    child = started;
    if (started.pid !== undefined) writeFileSync(join(folder, 'pid'), `${started.pid}\n`);
    const giveUpAt = performance.now() + START_MS;
    while (!(await kind.answers(port).catch(() => false))) {
      if (started.pid === undefined || hasEnded(started))
        throw new Error(`${kind.program} ended: ${tail(folder)}`);
      if (performance.now() > giveUpAt) throw new Error(`${kind.program} does not answer: ${tail(folder)}`);
      await sleep(20);
    }
    // Somebody else may have taken the port, and answer in its place.
    if (hasEnded(started)) throw new Error(`${kind.program} ended: ${tail(folder)}`);
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child?.pid === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    const pids = [child.pid, ...childrenOf(child.pid)];
    for (const pid of pids) sendSignal(pid, 'SIGCONT');
    for (const pid of signal === 'SIGKILL' ? pids : [child.pid]) sendSignal(pid, signal);
    const late = setTimeout(() => pids.map((pid) => sendSignal(pid, 'SIGKILL')), 10_000);
    await ended;
    clearTimeout(late);
    // From now on the number may be another process's.
    rmSync(join(folder, 'pid'), { force: true });
  };

  const remove = async (): Promise<void> => {
    await end(kind.politeSignal);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    pipe.end();
  };

  try {
    await kind.prepare?.(folder);
    for (let attempt = 1; ; attempt++) {
      port = await freePort();
      try {
        await start();
        break;
      } catch (error) {
        await end('SIGKILL');
        if (attempt === 3) throw error;
      }
    }
  } catch (error) {
    await remove();
    throw error;
  }

  const signalAll = (signal: NodeJS.Signals): void => {
    const pid = child!.pid!;
    // The parent first, so that it starts no child in between.
    sendSignal(pid, signal);
    for (const each of childrenOf(pid)) sendSignal(each, signal);
  };

  return {
    folder,
    get url() {
      return kind.url(port);
    },
    get port() {
      return port;
    },
    get pid() {
      return child!.pid!;
    },
    stop: remove,
    kill9: () => end('SIGKILL'),
    async restart(how = 'politely') {
      await end(how === 'kill9' ? 'SIGKILL' : kind.politeSignal);
      await start();
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Where there is no /proc, only the server itself is paused: a server of one process. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function tail(folder: string): string {
  return readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n').slice(-5).join(' | ') || 'no output';
}

/** Below the ports that systems give to outgoing connections, so that nobody takes it while a server restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
