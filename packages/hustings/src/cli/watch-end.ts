/** The end of a command that prints after each change: Ctrl-C, SIGTERM, or a reader that has gone. */
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/** Aborts when the command is to end. */
export function watchEnd(): AbortSignal {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  whenReaderGone(end);
  return ending.signal;
}

/**
 * A process learns that the reader of its pipe has gone (`… | head -1`) only when it writes, which may be hours later. Node
 * cannot poll a pipe that it only writes. GNU tail polls its output while it follows a file, and dies of SIGPIPE. Without GNU
 * tail, the command ends at the next change.
 */
function whenReaderGone(end: () => void): void {
  if (!isPipe(process.stdout.fd)) return;
  // It shares the pipe, so it must end with this process: at once, or within a second if this process is killed.
  const tail = spawn('tail', ['-f', `--pid=${process.pid}`, '/dev/null'], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  tail.unref();
  tail.on('error', () => {});
  tail.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') end();
  });
  process.on('exit', () => tail.kill());
}

function isPipe(fd: number): boolean {
  try {
    return fstatSync(fd).isFIFO();
  } catch {
    return false;
  }
}
