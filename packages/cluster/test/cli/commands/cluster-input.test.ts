/** What a new user of `hustings cluster`, `node` and `replay` may get wrong: one line, which names the flag, and exit code 2. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { commandsTogether, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
beforeAll(() => {
  const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
  const members = (host: string): string =>
    JSON.stringify({ cluster: 'demo', version: 1, members: [{ id: 1, address: `${host}:7001` }] });
  write('members.json', members('127.0.0.1'));
  write('open.json', members('10.0.0.1'));
  write('torn.json', '{"cluster":');
  write('short', 'secret');
  for (const name of ['empty', 'garbage', 'rec']) mkdirSync(join(folder.path, name));
  for (const name of ['ca.pem', 'member-1.pem', 'member-1.key']) write(join('garbage', name), 'nonsense');
  write('rec/2.trace', '{"line":1}\n{"line":2}\n');
});

const BULLY = 'cluster --algorithm bully';
const NODE = 'node --members members.json --id 1 --algorithm bully';
const CASES: readonly [args: string, says: string][] = [
  ['cluster', '--algorithm is required'],
  ['cluster --algorithm bullly', "there is no algorithm 'bullly'; did you mean bully?"],
  [`${BULLY} --nodes 0`, '--nodes must be a whole number from 1 to 50, not 0'],
  [`${BULLY} --nodes 1.5`, '--nodes must be a whole number from 1 to 50, not 1.5'],
  [`${BULLY} --nodes many`, "--nodes must be a whole number from 1 to 50, not 'many'"],
  [`${BULLY} --lease 3s`, '--lease needs --quorum'],
  [
    `${BULLY} --quorum --lease 100ms`,
    '--lease must be from 400, 4 heartbeats, to 3600000, not 100 (milliseconds)',
  ],
  [`${BULLY} --heartbeat 5`, "--heartbeat must be a duration with a unit, such as 15s, 500ms or 2m, not '5'"],
  [`${BULLY} --heartbeat 0s`, '--heartbeat must be a whole number from 1 to 3600000, not 0 (milliseconds)'],
  [
    `${BULLY} --heartbeat 1d`,
    '--heartbeat must be a whole number from 1 to 3600000, not 86400000 (milliseconds)',
  ],
  [`${BULLY} --unit 0s`, '--unit must be a positive number, not 0 (milliseconds)'],
  [
    `${BULLY} --once --nodes 1 --record rec`,
    "--record must name a folder without recordings, and 'rec' has 2.trace; give a new folder",
  ],
  ['cluster --algorithm raft --quorum', '--quorum must be left out: raft needs a majority itself'],
  [
    'cluster --algorithm itai-rodeh --quorum',
    '--quorum must be left out: members of itai-rodeh have no ids, so nobody knows whom to support',
  ],
  ['cluster --algorithm raft --set timeouts=1', "raft has no parameter 'timeouts': it has timeout,"],
  [
    'cluster --nodes 4 --algorithm itai-rodeh-bounded --set N=4',
    "while 1 of 4 members run, N of itai-rodeh-bounded must be a whole number from 1 to 1 for 1 nodes, not '4': leave it out, or give a value that is allowed for 1 to 4 members",
  ],
  ['cluster --algorithm flood-max-rounds', 'flood-max-rounds assumes synchronous rounds'],
  ['cluster --wrong', "unknown option '--wrong'; see 'hustings cluster --help'"],
  ['cluster init --wrong', "unknown option '--wrong'; see 'hustings cluster init --help'"],
  [
    'cluster init --algorithm raft',
    "--algorithm is an option of 'cluster' and 'node', not of 'cluster init'",
  ],
  [
    'cluster init --nodes 3 --port 17000',
    '--port and --http-port must be at least 3 apart, not 17000 and 17001',
  ],
  ['cluster add 4', "missing required argument 'HOST:PORT'; see 'hustings cluster add --help'"],
  ['cluster init --name Demo', '--name must be a name of up to 63 of a-z'],
  ['cluster init --host ::1', "--host must be a host or an IP address, with IPv6 in brackets, not '::1'"],
  ['node --id 1 --algorithm bully', '--members is required'],
  [
    'node --members none.json --id 1 --algorithm bully',
    "--members must be a readable file, not 'none.json' (no such file or directory): correct the path",
  ],
  [
    'node --members torn.json --id 1 --algorithm bully',
    '--members must be a member file, and torn.json is not: the member list must be JSON: ',
  ],
  ['node --members members.json --algorithm bully', '--id is required'],
  [
    'node --members members.json --id 9 --algorithm bully',
    '--id must be a member of the cluster demo (1), not 9',
  ],
  ['node --members members.json --id one --algorithm bully', "--id must be the id of a member, not 'one'"],
  [
    'node --members open.json --id 1 --algorithm bully',
    'a member without TLS and without a secret must listen on loopback, not on 10.0.0.1; give certificates or a secret; or use --insecure',
  ],
  [`${NODE} --secret-file none`, "--secret-file must be a readable file, not 'none'"],
  [`${NODE} --secret-file short`, 'the secret must have at least 32 bytes, not 6'],
  [`${NODE} --secret-file short --tls empty`, '--secret-file and --tls exclude each other'],
  [`${NODE} --tls empty`, "--tls must be a readable file, not 'empty/ca.pem'"],
  [`${NODE} --tls garbage`, '--tls: garbage/ca.pem must be a certificate in PEM, and cannot be read: '],
  [`${NODE} --http 99999`, '--http must be a whole number from 0 to 65535, not 99999'],
  [`${NODE} --listen here`, '--listen must have the form HOST:PORT'],
  [`${NODE} --join`, '--join must be left out: the members of bully cannot be changed while it runs'],
  ['replay none', "FILE must be a readable file, not 'none' (no such file or directory): correct the path"],
  ['replay empty', "FILE must be a folder with recordings, files such as 3.trace; 'empty' has none"],
  ['replay rec/2.trace', "FILE must be the folder of all recordings, not one of them; give 'rec'"],
  ['maelstrom', '--algorithm is required'],
];

const ended = commandsTogether(
  CASES.map(([args]) => args.split(' ')),
  folder,
);

it.each(CASES)('%s', (args, says) => {
  const { status, stderr, stdout } = ended(args.split(' '));
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`hustings: ${says}`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
