/** A copy of the folder `data` of a server, and its return to an older copy. The server does not run meanwhile. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './data-template.ts';
import type { TestServer } from './server-process.ts';

/** Where the copy is, inside another folder. */
export interface DataCopy {
  readonly server: TestServer;
  readonly folder: string;
}

const copyOf = (folder: string): string => join(folder, 'data');

export async function copyData({ server, folder }: DataCopy): Promise<void> {
  await server.kill9();
  rmSync(copyOf(folder), { recursive: true, force: true });
  await runProgram('cp', ['-a', copyOf(server.folder), copyOf(folder)]);
  await server.restart();
}

export async function restoreData({ server, folder }: DataCopy): Promise<void> {
  await server.kill9();
  rmSync(copyOf(server.folder), { recursive: true });
  await runProgram('cp', ['-a', copyOf(folder), copyOf(server.folder)]);
  await server.restart();
}
