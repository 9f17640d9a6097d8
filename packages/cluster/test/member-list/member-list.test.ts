import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { RecordFile } from '../../src/host/record-file.ts';
import { writeMemberFile, writeSecretFile } from '../../src/init/cluster-files.ts';
import {
  type MemberList,
  MemberListError,
  memberListDigest,
  memberOf,
  parseMemberList,
} from '../../src/member-list/member-list.ts';
import {
  readMemberRecord,
  saveListRecord,
  startingRecord,
  writeMemberRecord,
} from '../../src/member-list/member-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'hustings-members-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = {
  cluster: 'demo',
  version: 1,
  members: [
    { id: 3, address: '[::1]:7003' },
    { id: 1, address: '127.0.0.1:7001' },
    { id: 2, address: 'node-2.example.org:7002' },
  ],
};
const one = { id: 1, address: '10.0.0.1:7001' };

function problems(value: unknown): readonly string[] {
  try {
    parseMemberList(typeof value === 'string' ? value : JSON.stringify(value));
  } catch (error) {
    if (error instanceof MemberListError) return error.problems;
    throw error;
  }
  return [];
}

describe('a member file', () => {
  it('is read sorted by id', () => {
    const list = parseMemberList(JSON.stringify(good));
    expect(list.members.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(memberOf(list, 3).address).toBe('[::1]:7003');
    expect(() => memberOf(list, 9)).toThrow('id must be a member of the cluster demo (1, 2, 3), not 9');
  });

  it.each<[string, unknown, readonly (string | RegExp)[]]>([
    ['no JSON', '{"cluster":', [/^the member list must be JSON: /]],
    [
      'a byte order mark',
      `\uFEFF${JSON.stringify(good)}`,
      ['the member list must not begin with a byte order mark; save it as UTF-8 without one'],
    ],
    ['no object', '[]', ['the member list must be an object, not []']],
    [
      'an unknown field',
      { ...good, member: 1 },
      ['the member list has an unknown field "member"; did you mean members?'],
    ],
    [
      'no version',
      { ...good, version: undefined },
      ['version must be a whole number from 1 to 70368744177664, not nothing'],
    ],
    [
      'a version of 0',
      { ...good, version: 0 },
      ['version must be a whole number from 1 to 70368744177664, not 0'],
    ],
    [
      'a version that leaves no room for changes, such as microseconds since 1970',
      { ...good, version: 1_790_000_000_000_000 },
      ['version must be a whole number from 1 to 70368744177664, not 1790000000000000'],
    ],
    [
      'a cluster name with a slash',
      { ...good, cluster: 'a/b' },
      [/^cluster must be a name of .*, not "a\/b"$/],
    ],
    ['an empty cluster name', { ...good, cluster: '' }, [/^cluster must be a name/]],
    [
      'no members',
      { ...good, members: [] },
      ['members must be a list of 1 to 1000 members, not a list of 0'],
    ],
    [
      'a duplicate id',
      { ...good, members: [one, { id: 1, address: 'b:1' }] },
      ['the ids must differ, and 1 is given twice'],
    ],
    [
      'a duplicate address',
      { ...good, members: [one, { id: 2, address: one.address }] },
      ['the addresses must differ, and "10.0.0.1:7001" is given twice'],
    ],
    [
      'three problems',
      {
        ...good,
        members: [
          { id: -1, address: 'x' },
          { id: 1, address: 'a:1', port: 2 },
        ],
      },
      [
        'the id of member 1 of the list must be a whole number from 0 to 2147483647, not -1',
        'the address of member 1 of the list must have the form HOST:PORT, with an IPv6 address in brackets, not "x"',
        'member 2 of the list has an unknown field "port"',
      ],
    ],
    [
      'a text instead of a member',
      { ...good, members: ['a:1'] },
      [/must be an object with id and address, not "a:1"$/],
    ],
  ])('with %s is refused, with one line for each problem', (_, value, lines) => {
    expect(problems(value)).toEqual(
      lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line)),
    );
  });

  it.each([
    '127.0.0.1',
    ':1',
    'a:0',
    'a:65536',
    'a:1x',
    '256.1.1.1:5',
    '1.2.3:5',
    '::1:7000',
    '[a]:1',
    'a b:1',
    '-a:1',
    'a..b:1',
    5,
  ])('with the address %j is refused', (address) => {
    expect(problems({ ...good, members: [{ id: 1, address }] })).toHaveLength(1);
  });

  it('of any JSON value is refused or read, and never crashes', () => {
    fc.assert(fc.property(fc.json(), (text) => problems(text).every((line) => !line.includes('\n'))));
  });

  it('is written once, readable, and read back', async () => {
    const path = join(folder, 'members.json');
    const list = parseMemberList(JSON.stringify(good));
    await writeMemberFile(path, list);
    expect(parseMemberList(readFileSync(path, 'utf8'))).toEqual(list);
    await expect(writeMemberFile(path, list)).rejects.toThrow(`${path} exists already`);
  });
});

it('a secret file has 256 random bits, for its owner alone', async () => {
  const paths = ['a', 'b'].map((name) => join(folder, name));
  for (const path of paths) await writeSecretFile(path);
  const [one, other] = paths.map((path) => readFileSync(path, 'utf8'));
  expect(one).toMatch(/^[0-9a-f]{64}\n$/);
  expect(other).not.toBe(one);
  expect(statSync(paths[0]).mode & 0o777).toBe(0o600);
});

describe('the digest', () => {
  it('depends on everything but the order of the members', () => {
    const list = parseMemberList(JSON.stringify(good));
    const reversed = parseMemberList(JSON.stringify({ ...good, members: [...good.members].reverse() }));
    expect(memberListDigest(reversed)).toBe(memberListDigest(list));
    const others: MemberList[] = [
      { ...list, cluster: 'demo2' },
      { ...list, version: 2 },
      { ...list, members: list.members.slice(1) },
      { ...list, members: list.members.map((member) => ({ ...member, address: 'a:1' })) },
    ];
    expect(new Set([list, ...others].map(memberListDigest)).size).toBe(5);
  });
});

const listed = ({ members, version }: MemberList) => ({ version, members });

describe('the record on disk', () => {
  const list = parseMemberList(JSON.stringify(good));
  const owner = { cluster: list.cluster, id: list.members[0].id };
  const place = (name: string): RecordFile => new RecordFile(join(folder, name), owner);
  const UNSTAMPED = { stamp: 0, origin: 0 };

  it('is absent before the first write, and keeps the newest version', async () => {
    const file = place('newest');
    expect(await readMemberRecord(file)).toBeUndefined();
    await writeMemberRecord(file, list);
    await writeMemberRecord(file, { ...list, version: 4 });
    expect(await readMemberRecord(file)).toEqual({ ...list, ...UNSTAMPED, version: 4 });
    await expect(writeMemberRecord(file, { ...list, version: 3 })).rejects.toThrow('at least 4');
    await expect(writeMemberRecord(file, { ...list, version: 4, members: [one] })).rejects.toThrow(
      'two different member lists have version 4',
    );
    expect(await readMemberRecord(file)).toEqual({ ...list, ...UNSTAMPED, version: 4 });
  });

  it('is recognised as damaged at every length to which it can be cut', async () => {
    const file = place('cut');
    await writeMemberRecord(file, list);
    const whole = readFileSync(file.path);
    for (let length = whole.length - 1; length >= 0; length--) {
      truncateSync(file.path, length);
      await expect(readMemberRecord(file), `${length} bytes`).rejects.toThrow('is damaged');
    }
  });

  it('survives a change of any byte, is whole again after it, and says so; in both copies it is refused', async () => {
    const { path } = place('changed');
    await writeMemberRecord(place('changed'), list);
    const whole = readFileSync(path);
    const half = whole.length / 2;
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] ^= 1;
      writeFileSync(path, changed);
      const file = place('changed');
      expect(await readMemberRecord(file), `byte ${at}`).toEqual({ ...list, ...UNSTAMPED });
      expect(file.warning, `byte ${at}`).toContain('a copy of the record was written again: ');
      expect(readFileSync(path).equals(whole), `byte ${at}`).toBe(true);
      if (at >= half) continue;
      changed[half + ((at * 7) % half)] ^= 1;
      writeFileSync(path, changed);
      await expect(readMemberRecord(file), `byte ${at}`).rejects.toThrow('is damaged');
      writeFileSync(path, whole);
    }
    const file = place('changed');
    await readMemberRecord(file);
    expect(file.warning).toBeNull();
  });

  it('is refused as the record of another member, or of another cluster', async () => {
    const file = place('foreign');
    await writeMemberRecord(file, list);
    for (const other of [
      { ...owner, id: 2 },
      { ...owner, cluster: 'x' },
    ]) {
      await expect(readMemberRecord(new RecordFile(file.path, other))).rejects.toThrow(
        `is that of member 1 of the cluster demo: use another folder for member ${other.id} of ${other.cluster}`,
      );
    }
  });

  it('survives a crash during a write, which leaves a part of the next one beside it', async () => {
    const file = place('crash');
    await writeMemberRecord(file, list);
    writeFileSync(`${file.path}.new`, 'hustings-rec');
    expect(await readMemberRecord(file)).toEqual({ ...list, ...UNSTAMPED });
    await writeMemberRecord(file, { ...list, version: 2 });
    expect((await readMemberRecord(file))?.version).toBe(2);
  });

  it('is newer than a member file, once a leader has stamped it', async () => {
    const file = place('stamped');
    expect(await startingRecord(file, list, false)).toEqual({ ...UNSTAMPED, ...listed(list) });
    const stamped = {
      ...listed({ ...list, version: 2 }),
      members: list.members.slice(1),
      stamp: 3,
      origin: 2,
    };
    await saveListRecord(file, stamped);
    expect(await startingRecord(file, list, false)).toMatchObject(stamped);
    await expect(startingRecord(file, { ...list, version: 2 }, false)).rejects.toThrow(
      'the member file must be that of version 2, which is stored: ask the leader to add or remove members',
    );
    await expect(startingRecord(file, { ...list, version: 3 }, false)).rejects.toThrow(
      'the member file must be that of version 2',
    );
    // A member that is not in it may be the only one that knows it.
    expect(await startingRecord(file, list, false)).toMatchObject(stamped);
    await saveListRecord(file, stamped, true);
    await expect(startingRecord(file, list, false)).rejects.toThrow(
      `member ${owner.id} was removed from the cluster ${list.cluster} by version 2`,
    );
    expect(await startingRecord(file, { ...list, version: 3 }, true)).toMatchObject(stamped);
  });

  it('is not written by a member that joins', async () => {
    const file = place('joins');
    expect(await startingRecord(file, list, true)).toBeNull();
    expect(await readMemberRecord(file)).toBeUndefined();
  });
});
