// Runs several commands one after another in one process, each as packages/hustings/dist/cli/main.js would, because a process takes longer to
// start than such a command takes. Takes commands as messages if it has a channel to its parent, and answers each; otherwise
// reads a JSON list of argument lists from stdin, and writes a JSON list of results.
//
// Does not isolate: for commands that print and end, such as help and bad input.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { report } from '@hustings/base/command/exit';

const [node, main] = process.argv;
const { runProgram } = await import(pathToFileURL(join(process.argv[2], 'program.js')).href);

const write = process.stdout.write.bind(process.stdout);

/** @param {string[]} args */
async function run(args) {
  const written = { stdout: '', stderr: '' };
  for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
    process[stream].write = (/** @type {string | Uint8Array} */ chunk) => {
      written[stream] += chunk;
      return true;
    };
  }
  process.argv = [node, main, ...args];
  process.exitCode = 0;
  try {
    await runProgram(args);
  } catch (error) {
    process.exitCode = report(error);
  }
  return { status: process.exitCode ?? 0, ...written };
}

if (process.send === undefined) {
  const results = [];
  for (const args of JSON.parse(await text(process.stdin))) {
    results.push({ ...(await run(args)), files: readdirSync('.').sort() });
  }
  process.exitCode = 0;
  write(JSON.stringify(results));
} else {
  process.on('message', async (/** @type {{ args: string[], cwd: string }} */ { args, cwd }) => {
    process.chdir(cwd);
    process.send?.(await run(args));
  });
}
