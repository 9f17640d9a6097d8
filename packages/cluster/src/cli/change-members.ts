/** `hustings cluster add` and `remove`: ask the leader of a running cluster to change its member list. */

import { EnvironmentError, InputError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';
import { readInput } from '@hustings/base/command/user-files';
import { TOKEN_HEADER } from '@hustings/base/http';
import type { Command } from 'commander';
import { addressProblem } from '../member-list/address.ts';

interface ChangeFlags {
  readonly node?: string;
  readonly tokenFile?: string;
}

const CODES = `
Ask the process that leads: --http gives its URL, and the file http-token in its
folder lets you change the list. The command ends when a majority has stored it.
Exit codes: 0 done; 2 bad input; 3 it is not the leader, or the list was not changed.
`;

export function addChangeCommands(cluster: Command): void {
  changeCommand(cluster, 'add <ID> <HOST:PORT>')
    .summary('add a member to a running cluster')
    .description(
      'Adds one member to the list of a running cluster. Start its process first, with\n' +
        'hustings node --join and a member file that names it and the others.',
    )
    .addHelpText(
      'after',
      `${CODES}
Example:
  hustings cluster add 4 127.0.0.1:7004 --node http://127.0.0.1:4750 --token-file cluster/member-1/http-token`,
    )
    .action((id: string, address: string, flags: ChangeFlags) =>
      change(flags, { add: { id: idOf(id), address: addressOf(address) } }),
    );
  changeCommand(cluster, 'remove <ID>')
    .summary('remove a member from a running cluster')
    .description('Removes one member from the list of a running cluster. Its process ends by itself.')
    .addHelpText(
      'after',
      `${CODES}
Example:
  hustings cluster remove 2 --node http://127.0.0.1:4750 --token-file cluster/member-1/http-token`,
    )
    .action((id: string, flags: ChangeFlags) => change(flags, { remove: idOf(id) }));
}

function changeCommand(cluster: Command, usage: string): Command {
  return cluster
    .command(usage)
    .option(
      '--node <URL>',
      "URL at which the leader serves its status; 'hustings node --http' prints it (required)",
    )
    .option('--token-file <FILE>', 'file http-token in the folder of the leader (required)');
}

function idOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InputError(`ID must be the id of a member, a whole number from 0, not '${text}'`);
}

function addressOf(text: string): string {
  const why = addressProblem(text);
  if (why === null) return text;
  throw new InputError(`HOST:PORT ${why}, not '${text}'`);
}

async function change({ node, tokenFile }: ChangeFlags, asked: object): Promise<void> {
  if (node === undefined) throw new InputError('--node is required');
  if (tokenFile === undefined) throw new InputError('--token-file is required');
  if (!URL.canParse('/members', node)) {
    throw new InputError(`--node must be a URL such as http://127.0.0.1:4750, not '${node}'`);
  }
  const url = new URL('/members', node);
  const headers = {
    [TOKEN_HEADER]: readInput('--token-file', tokenFile).trim(),
    'content-type': 'application/json',
  };
  let answer: { readonly error?: string; readonly version?: number; readonly members?: { id: number }[] };
  let status: number;
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(asked) });
    status = response.status;
    answer = (await response.json()) as typeof answer;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new EnvironmentError(`${url.href} cannot be reached: ${reasonOf(cause)}`, error);
  }
  if (status === 400) throw new InputError(String(answer.error));
  if (status === 403)
    throw new EnvironmentError(
      `${url.href} refuses the token in ${tokenFile} (${answer.error}); use the file http-token of that member`,
    );
  // The library names the option, and this is its flag.
  if (status !== 200)
    throw new EnvironmentError(String(answer.error).replace(/ with join\b/, ' with --join'));
  const ids = (answer.members ?? []).map(({ id }) => id).join(', ');
  console.log(`version ${answer.version} of the member list: ${ids}`);
}
