import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBefore, hustings, temporaryFolder } from './command.ts';

buildBefore();
const folder = temporaryFolder();
beforeAll(() => {
  writeFileSync(join(folder.path, 'parted.txt'), '0 1\n2 3\n');
  writeFileSync(join(folder.path, 'loop.txt'), '0 0\n');
  writeFileSync(join(folder.path, 'wrong.schedule'), 'deliver 0 > 1\ndeliver 0 > 5\n');
  writeFileSync(join(folder.path, 'typo.schedule'), 'delver 0 > 1\n');
  writeFileSync(join(folder.path, 'empty.schedule'), '# nothing\n');
  mkdirSync(join(folder.path, 'directory'));
});

/** What is typed, and what the line on stderr must say. */
const ON_THE_WHOLE: readonly [args: string, says: RegExp][] = [
  ['simulat chang-roberts', /'simulat' is not a command; did you mean simulate\?/],
  ['elect', /'elect' is not a command/],
  ['--wrong', /unknown option '--wrong'/],
  ['simulate', /missing required argument 'NAME'.*simulate --help/],
  ['simulate chang-robert', /'chang-robert': did you mean chang-roberts\?/],
  ['simulate Chang-Roberts', /did you mean chang-roberts\?/],
  ['simulate sinclair', /did you mean hirschberg-sinclair\?/],
  ['simulate toString', /got 'toString': the nearest name is/],
  ['algorithms petersen', /did you mean peterson\?/],
  ['simulate chang-roberts extra', /too many arguments/],
  ['simulate chang-roberts --ndoes 5', /'--ndoes'.*--nodes/],
  ['simulate chang-roberts --nodes', /--nodes <N>' argument missing/],
  ['algorithms --nodes 5', /unknown option '--nodes'/],
];

const OF_A_RUN: readonly [args: string, says: RegExp][] = [
  ['--nodes 0', /nodes must be an integer from 1 to \d+, not 0/],
  ['--nodes -3', /not -3/],
  ['--nodes NaN', /--nodes expects a number.*'NaN'/],
  ['--nodes Infinity', /'Infinity'/],
  ['--nodes 1.5', /integer.*not 1\.5/],
  ['--nodes 1e12', /not 1000000000000/],
  ['--nodes 33554433', /from 1 to 33554432/],
  ['--nodes ""', /--nodes expects a number.*''/],
  ['--nodes 0x10', /'0x10'/],
  ['--nodes --json', /'--json'/],
  ['--ids 5,3,5', /id 5 is given twice/],
  ['--ids ""', /ids are empty/],
  ['--ids 1,,2', /--ids expects.*'1,,2'/],
  ['--ids 1,two', /--ids expects/],
  ['--ids -1,2', /not -1/],
  ['--ids 1.5,2', /not 1\.5/],
  ['--ids 2147483648', /from 0 to 2147483647/],
  ['--ids 1,2,3 --nodes 4', /3 ids for 4 nodes/],
  ['--ids 1,2,3 --order ascending', /cannot be used with/],
  ['--ids anonymous', /needs unique ids.*Angluin/],
  ['--order up', /--order expects ascending, descending or random, got 'up'/],
  ['--initiators 8', /initiator 8 is out of range: positions are 0 to 7/],
  ['--initiators -1', /initiator -1 is out of range/],
  ['--initiators 1.5', /1\.5/],
  ['--initiators 0,0', /given twice/],
  ['--initiators ""', /needs an initiator/],
  ['--initiators some', /--initiators expects.*'some'/],
  ['--initiators 0@', /--initiators expects/],
  ['--initiators 0@-1', /cannot wake at -1/],
  ['--initiators random:0', /random initiators must be 1 to 8 in number, not 0/],
  ['--initiators random:9', /not 9/],
  ['--initiators random:', /--initiators expects/],
  ['--topology star', /assumes a one-way ring, not star: use --topology ring/],
  ['--topology blob', /got 'blob': choose one of/],
  ['--topology grid:3', /grid:RxC/],
  [
    '--topology edges:absent.txt',
    /--topology expects a file that can be read, got 'absent\.txt' \(no such file/,
  ],
  ['--topology edges:directory', /can be read, got 'directory'/],
  ['--topology edges:', /edges:FILE/],
  ['--schedule sometimes', /'sometimes'/],
  ['--schedule file:', /'file:'/],
  ['--schedule file:absent', /--schedule expects a file that can be read, got 'absent'/],
  ['--schedule file:wrong.schedule --trace', /line 2 of wrong\.schedule.*nothing is in flight/],
  ['--schedule file:typo.schedule', /line 1 of typo\.schedule, got 'delver 0 > 1'/],
  ['--schedule file:empty.schedule', /lines such as 'deliver 0 > 1' in empty\.schedule/],
  ['--seed x', /--seed expects a whole number, as in 1, got 'x'/],
  ['--seed -1', /not -1/],
  ['--seed 1.5', /not 1\.5/],
  ['--seed 99999999999999999999', /seed must be/],
  ['--seed ""', /--seed expects/],
  ['--crash 3', /--crash expects a position, an @ and a time, as in 3@0, got '3'/],
  ['--crash 3@soon', /--crash expects/],
  ['--crash 3@0@1', /--crash expects/],
  ['--crash 9@0 --despite crash', /position 9: positions are 0 to 7/],
  ['--crash 3@-1 --despite crash', /not -1/],
  ['--crash 3@0', /assumes that no node crashes.*--despite crash/],
  ['--crash none --crash 3@0', /--crash expects either 'none' or/],
  ['--recover 3', /--recover expects/],
  ['--loss 1.5', /chance from 0 to 1, not 1\.5/],
  ['--loss half', /--loss expects a chance, as in 0\.1, got 'half'/],
  ['--loss 0.1', /--despite loss/],
  ['--loss-until 5', /give its chance too/],
  ['--loss 0.1 --loss-until noon', /--loss-until expects a time, as in 40, got 'noon'/],
  ['--duplicate -1', /not -1/],
  ['--partition 0-3', /--partition expects groups and times, as in 0-3\/4-7@10\.\.50/],
  ['--partition 0-3@1..2', /--partition expects/],
  ['--partition 3-0/4-7@1..2', /--partition expects/],
  ['--partition 0-3/4-7@5..1 --despite partition', /ends after it begins/],
  ['--partition 0-3/4-9@1..5 --despite partition', /position 8/],
  ['--set filter', /--set expects name=value, got 'filter'/],
  ['--set =1', /--set expects name=value/],
  ['--set wrong=1', /no parameter 'wrong': it has extremum, filter/],
  ['--set toString=1', /no parameter 'toString'/],
  ['--set __proto__=1', /no parameter '__proto__'/],
  ['--set extremum=middle', /one of max, min, not 'middle'/],
  ['--set filter=true --set filter=false', /each name once/],
  ['--despite reason', /'reason' is no assumption: choose from/],
  ['--until later', /--until expects a time, as in 50, got 'later'/],
  ['--until -1', /not -1/],
  ['--nodes 65 --svg out.svg', /at most 64 nodes, not 65/],
  ['--nodes 64 --order descending --svg out.svg --trace', /at most 2000 messages: take fewer/],
  ['--svg ""', /--svg expects the path of a file/],
];

const ELSEWHERE: readonly [args: string, says: RegExp][] = [
  ['simulate echo-election --topology edges:parted.txt', /connected graph.*position 2 cannot be reached/],
  ['simulate echo-election --topology edges:loop.txt', /two different positions in line 1/],
  ['simulate echo-election --topology grid:3x4 --nodes 13', /expected 12 nodes/],
  ['simulate bully --topology ring', /bully assumes a complete network, not ring/],
  ['simulate bully --schedule random', /time-out.*--set timeout=6/],
  ['simulate peterson --schedule random:nofifo', /peterson assumes FIFO links.*--despite fifo/],
];

function check(args: readonly string[], says: RegExp): void {
  const before = readdirSync(folder.path).sort();
  const { status, stdout, stderr } = hustings(args, folder.path);
  expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(stdout).toBe('');
  expect(status).toBe(2);
  expect(readdirSync(folder.path).sort()).toEqual(before);
}

const split = (args: string): string[] => args.split(' ').map((word) => (word === '""' ? '' : word));

describe('one line, exit code 2, nothing printed and no file left', () => {
  it.each(ON_THE_WHOLE)('for hustings %s', (args, says) => check(split(args), says));
  it.each(OF_A_RUN)('for hustings simulate chang-roberts %s', (args, says) =>
    check(['simulate', 'chang-roberts', ...split(args)], says),
  );
  it.each(ELSEWHERE)('for hustings %s', (args, says) => check(split(args), says));
});
