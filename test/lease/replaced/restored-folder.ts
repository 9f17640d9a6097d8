/** Yesterday's copy of the folder of a server, put back in its place: the server does not run meanwhile. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../servers/data-template.ts';
import type { Replacement, Scene } from './replaced-store.ts';

export const OLDER_DATA: Replacement = {
  async backUp({ server, folder }: Scene) {
    await server.kill9();
    await runProgram('cp', ['-a', join(server.folder, 'data'), folder]);
    await server.restart();
  },
  async replace({ server, folder }: Scene) {
    await server.kill9();
    rmSync(join(server.folder, 'data'), { recursive: true });
    await runProgram('cp', ['-a', join(folder, 'data'), server.folder]);
    await server.restart();
  },
};
