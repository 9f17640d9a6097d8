import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandsTogether, hustings, temporaryFolder } from '../../test-kit/command.ts';

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
  ['elect', /'elect' is not a command \('hustings --help' lists all\)/],
  ['--wrong', /unknown option '--wrong'/],
  ['simulate', /missing required argument 'NAME'.*simulate --help/],
  ['simulate chang-robert', /'chang-robert'; did you mean chang-roberts\?/],
  ['simulate Chang-Roberts', /did you mean chang-roberts\?/],
  ['simulate sinclair', /did you mean hirschberg-sinclair\?/],
  ['simulate toString', /there is no algorithm 'toString' \('hustings algorithms' lists all;/],
  ['algorithms petersen', /did you mean peterson\?/],
  ['simulate chang-roberts extra', /too many arguments/],
  ['simulate chang-roberts --ndoes 5', /'--ndoes'.*--nodes/],
  ['simulate chang-roberts --nodes', /--nodes <N>' argument missing/],
  ['algorithms --nodes 5', /unknown option '--nodes'/],
];

const OF_A_RUN: readonly [args: string, says: RegExp][] = [
  ['--nodes 0', /nodes must be a whole number from 1 to \d+, not 0/],
  ['--nodes -3', /not -3/],
  ['--nodes NaN', /--nodes must be a number.*'NaN'/],
  ['--nodes Infinity', /'Infinity'/],
  ['--nodes 1.5', /whole number.*not 1\.5/],
  ['--nodes 1e12', /not 1000000000000/],
  ['--nodes 33554433', /from 1 to 33554432/],
  ['--nodes ""', /--nodes must be a number.*''/],
  ['--nodes 0x10', /'0x10'/],
  ['--nodes --trace', /'--trace'/],
  ['--ids 5,3,5', /ids must differ, and 5 is given twice/],
  ['--ids ""', /ids must not be empty/],
  ['--ids 1,,2', /--ids must be.*'1,,2'/],
  ['--ids 1,two', /--ids must be/],
  ['--ids -1,2', /not -1/],
  ['--ids 1.5,2', /not 1\.5/],
  ['--ids 2147483648', /from 0 to 2147483647/],
  ['--ids 1,2,3 --nodes 4', /number of ids, 3, not 4/],
  ['--ids 1,2,3 --order ascending', /cannot be used with/],
  ['--ids anonymous', /needs unique ids.*Angluin/],
  ['--order up', /--order must be ascending, descending or random, not 'up'/],
  ['--initiators 8', /an initiator must be a position from 0 to 7, not 8/],
  ['--initiators -1', /initiator must be .*, not -1/],
  ['--initiators 1.5', /1\.5/],
  ['--initiators 0,0', /given twice/],
  ['--initiators ""', /initiators must not be empty/],
  ['--initiators some', /--initiators must be.*'some'/],
  ['--initiators 0@', /--initiators must be/],
  ['--initiators 0@-1', /must start at .*, not -1/],
  ['--initiators random:0', /random initiators must be from 1 to 8, not 0/],
  ['--initiators random:9', /not 9/],
  ['--initiators random:', /--initiators must be/],
  ['--topology star', /assumes a one-way ring, not star; use --topology ring/],
  ['--topology blob', /topology must be one of .*, not 'blob'/],
  ['--topology grid:3', /grid:RxC/],
  ['--topology edges:absent.txt', /--topology must be a readable file, not 'absent\.txt' \(no such file/],
  ['--topology edges:directory', /must be a readable file, not 'directory'/],
  ['--topology edges:', /edges:FILE/],
  ['--schedule sometimes', /'sometimes'/],
  ['--schedule file:', /'file:'/],
  ['--schedule file:absent', /--schedule must be a readable file, not 'absent'/],
  ['--schedule file:wrong.schedule --trace', /line 2 of wrong\.schedule.*nothing is in flight/],
  ['--schedule file:typo.schedule', /line 1 of typo\.schedule must be .* not 'delver 0 > 1'/],
  ['--schedule file:empty.schedule', /empty\.schedule must have lines such as 'deliver 0 > 1'/],
  ['--seed x', /--seed must be a whole number, as in 1, not 'x'/],
  ['--seed -1', /not -1/],
  ['--seed 1.5', /not 1\.5/],
  ['--seed 99999999999999999999', /seed must be/],
  ['--seed ""', /--seed must be/],
  ['--crash 3', /--crash must be a position, an @ and a time, as in 3@0, not '3'/],
  ['--crash 3@soon', /--crash must be/],
  ['--crash 3@0@1', /--crash must be/],
  ['--crash 9@0 --despite crash', /position in crash must be from 0 to 7, not 9/],
  ['--crash 3@-1 --despite crash', /not -1/],
  ['--crash 3@0', /assumes that no node crashes.*--despite crash/],
  ['--crash none --crash 3@0', /--crash must be either 'none' or/],
  ['--recover 3', /--recover must be/],
  ['--loss 1.5', /probability from 0 to 1, not 1\.5/],
  ['--loss half', /--loss must be a probability, as in 0\.1, not 'half'/],
  ['--loss 0.1', /--despite loss/],
  ['--loss-until 5', /lossUntil needs loss/],
  ['--loss 0.1 --loss-until noon', /--loss-until must be a time, as in 40, not 'noon'/],
  ['--duplicate -1', /not -1/],
  ['--partition 0-3', /--partition must be groups and times, as in 0-3\/4-7@10\.\.50/],
  ['--partition 0-3@1..2', /--partition must be/],
  ['--partition 3-0/4-7@1..2', /--partition must be/],
  ['--partition 0-3/4-7@5..1 --despite partition', /must end after it begins/],
  ['--partition 0-3/4-9@1..5 --despite partition', /from 0 to 7, not 8/],
  ['--set filter', /--set must be name=value, not 'filter'/],
  ['--set =1', /--set must be name=value/],
  ['--set wrong=1', /no parameter 'wrong': it has extremum, filter/],
  ['--set toString=1', /no parameter 'toString'/],
  ['--set __proto__=1', /no parameter '__proto__'/],
  ['--set extremum=middle', /one of max, min, not 'middle'/],
  ['--set filter=true --set filter=false', /must name filter only once/],
  ['--despite reason', /despite must be one of .*, not 'reason'/],
  ['--until later', /--until must be a time, as in 50, not 'later'/],
  ['--until -1', /not -1/],
  ['--nodes 65 --svg out.svg', /at most 64 nodes, not 65/],
  ['--nodes 64 --order descending --svg out.svg --trace', /at most 2000 messages: take fewer/],
  ['--svg ""', /--svg must be the path of a file/],
];

const ELSEWHERE: readonly [args: string, says: RegExp][] = [
  ['simulate echo-election --topology edges:parted.txt', /must be connected.*position 2 cannot be reached/],
  ['simulate echo-election --topology edges:loop.txt', /line 1 .* two different positions/],
  ['simulate echo-election --topology grid:3x4 --nodes 13', /nodes must be 12/],
  ['simulate bully --topology ring', /bully assumes a complete network, not ring/],
  ['simulate bully --schedule random', /timeout.*--set timeout=6.*--despite timing/],
  ['simulate peterson --schedule random:nofifo', /peterson assumes FIFO links.*--despite fifo/],
];

const split = (args: string): string[] => args.split(' ').map((word) => (word === '""' ? '' : word));
const CASES = [
  ...ON_THE_WHOLE,
  ...OF_A_RUN.map(([args, says]) => [`simulate chang-roberts ${args}`, says] as const),
  ...ELSEWHERE,
];
const run = commandsTogether(
  CASES.map(([args]) => split(args)),
  folder,
);

describe('one line, exit code 2, nothing printed and no file left', () => {
  let before: readonly string[];
  beforeAll(() => {
    before = readdirSync(folder.path).sort();
  });

  it.each(CASES)('for hustings %s', (args, says) => {
    const { status, stdout, stderr, files } = run(split(args));
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    expect(status).toBe(2);
    expect(files).toEqual(before);
  });

  it('also for a command that is alone in its process', () => {
    for (const [args] of CASES.filter((_, index) => index % 20 === 0)) {
      expect({ ...hustings(split(args), folder.path), files: before }).toEqual(run(split(args)));
    }
  });
});
