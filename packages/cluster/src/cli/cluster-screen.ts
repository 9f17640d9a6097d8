/** The live view of a cluster in a terminal: a table that is redrawn, and the keys. */

import { type Paint, wrap } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import type { LocalCluster, LocalMember, MemberAction } from './local-cluster.ts';

/** What a key does. */
export type ClusterAction =
  | { readonly type: 'choose'; readonly id: number }
  | { readonly type: MemberAction | 'quit' };

const KEYS: Readonly<Record<string, ClusterAction['type']>> = {
  k: 'kill',
  p: 'pause',
  r: 'restart',
  c: 'cut',
  q: 'quit',
  '\u0003': 'quit',
};

/** Keys that are pressed fast arrive together. An arrow is a sequence of three characters. */
export function keysOf(text: string): string[] {
  const [first, ...rest] = text.split(ESCAPE);
  return [...first, ...rest.flatMap((part) => [`${ESCAPE}${part.slice(0, 1)}`, ...part.slice(1)])];
}

const ESCAPE = '\u001b[';

/** Null for a key that does nothing. Arrows choose the next member, and digits a member. */
export function actionOf(key: string, chosen: number, nodes: number): ClusterAction | null {
  if (key === '\u001b[A') return { type: 'choose', id: Math.max(1, chosen - 1) };
  if (key === '\u001b[B') return { type: 'choose', id: Math.min(nodes, chosen + 1) };
  if (/^[1-9]$/.test(key) && Number(key) <= nodes) return { type: 'choose', id: Number(key) };
  const type = Object.hasOwn(KEYS, key) ? KEYS[key] : null;
  return type === null || type === 'choose' ? null : { type };
}

/** What the keys leave: the chosen member, why the last action was refused, and whether the view ends. */
export interface Pressed {
  readonly chosen: number;
  readonly note: string;
  readonly isEnd: boolean;
}

/** Carries out the keys that have arrived together. */
export function press(
  text: string,
  from: number,
  { act, nodes }: { act: LocalCluster['act']; readonly nodes: number },
): Pressed {
  let [chosen, note, isEnd] = [from, '', false];
  for (const key of keysOf(text)) {
    const action = actionOf(key, chosen, nodes);
    if (action?.type === 'choose') chosen = action.id;
    else if (action?.type === 'quit') isEnd = true;
    else if (action !== null) note = act(action.type, chosen) ?? '';
  }
  return { chosen, note, isEnd };
}

/** The columns, each with its least width. */
const COLUMNS = {
  ...{ member: 7, pid: 7, state: 8, leader: 6, epoch: 5, token: 5, sent: 6, received: 8 },
  'last change': 13,
};
type Column = keyof typeof COLUMNS;
/** Those that a narrow terminal lacks, the first one first. */
const DROPPED: readonly Column[] = ['received', 'sent', 'pid', 'last change', 'token', 'epoch', 'leader'];

/** Lines are wrapped between the keys. */
const HARD_SPACE = '\u00a0';
const KEYS_TEXT = [
  '↑↓ or 1–9 choose',
  'k kill',
  'p pause or continue',
  'r restart',
  'c cut or heal',
  'q quit',
]
  .map((text) => text.replaceAll(' ', HARD_SPACE))
  .join('  ');
/** A short terminal shows up to three members before the titles, the keys and the rest. */
const MIN_MEMBERS = 3;

/** What stands above and below the table: the name of the cluster, and the command that shows it in the lab. */
export interface ScreenTexts {
  readonly name: string;
  readonly lab: string;
  /** Why the last key had no effect. */
  readonly note?: string;
}

/** One frame, with the chosen member, and the rows that it takes: fewer than the terminal has, so that the cursor can go back. */
export function frameOf(
  { name, lab, note = '' }: ScreenTexts,
  members: readonly LocalMember[],
  chosen: number,
  nowMs: number,
  paint: Paint,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): { readonly lines: readonly string[]; readonly height: number } {
  const shortened = (text: string): string =>
    text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
  const [titles, ...texts] = tableOf(
    members.map((member) => cellsOf(member, chosen, nowMs)),
    columns,
  ).map(shortened);
  const keys = wrap(KEYS_TEXT, columns).map((text) => text.trim().replaceAll(HARD_SPACE, ' '));
  // The terminal may wrap this line and no other: half a command is of no use.
  const browser = `in the browser: ${lab}`;
  const browserRows = Math.ceil(browser.length / columns);
  let left = Math.max(1, rows - 1);
  let isFull = false;
  const place = (height: number): boolean => {
    isFull ||= left - height < Math.min(members.length, MIN_MEMBERS);
    if (!isFull) left -= height;
    return !isFull;
  };
  const hasTitles = place(1);
  const hasNote = note !== '' && place(1);
  const hasKeys = place(1 + keys.length);
  const hasName = place(2);
  const hasBrowser = place(browserRows);
  const shown = Math.min(members.length, left);
  const from = Math.max(0, Math.min(members.length - shown, chosen - 1 - (shown >> 1)));
  const part =
    shown < members.length ? `, members ${members[from].id} to ${members[from + shown - 1].id}` : '';
  const lines = [
    ...(hasName ? [shortened(`${name}${part}`), ''] : []),
    ...(hasTitles ? [paint('strong', titles)] : []),
    ...texts.slice(from, from + shown).map((text, index) => painted(members[from + index], text, paint)),
    ...(hasNote ? [paint('bad', shortened(note))] : []),
    ...(hasKeys ? ['', ...keys.map((text) => paint('faint', text))] : []),
    ...(hasBrowser ? [paint('faint', browser)] : []),
  ];
  return { lines, height: lines.length + (hasBrowser ? browserRows - 1 : 0) };
}

/** What a paused process said last may be wrong by now. */
const leads = ({ line, state }: LocalMember): boolean =>
  state !== 'down' && state !== 'paused' && line?.leads === true;

function painted(member: LocalMember, text: string, paint: Paint): string {
  if (leads(member)) return paint('leader', text);
  return member.state === 'up' ? text : paint(member.state === 'down' ? 'dead' : 'faint', text);
}

function cellsOf(member: LocalMember, chosen: number, nowMs: number): Record<Column, string> {
  const { changedAt, id, line, state } = member;
  const show = (value: unknown): string => (state !== 'down' && value != null ? String(value) : '–');
  return {
    member: `${id === chosen ? '>' : ' '} ${leads(member) ? '★' : ' '} ${id}`,
    pid: show(line?.pid),
    state,
    leader: show(line?.leader),
    epoch: show(line?.epoch),
    token: show(line?.token),
    sent: show(line?.sent),
    received: show(line?.received),
    'last change': `${formatDuration(Math.max(0, nowMs - changedAt))} ago`,
  };
}

/** The titles and the rows, without the columns for which there is no room. */
function tableOf(rows: readonly Readonly<Record<Column, string>>[], columns: number): string[] {
  const names = Object.keys(COLUMNS) as Column[];
  const titles = Object.fromEntries(names.map((name) => [name, name])) as Record<Column, string>;
  const widthOf = (name: Column): number => Math.max(COLUMNS[name], ...rows.map((row) => row[name].length));
  const widths = names.map((name) => 1 + widthOf(name));
  let over = widths.reduce((sum, width) => sum + width, -1) - columns;
  const dropped = new Set<Column>();
  for (const name of DROPPED) {
    if (over <= 0) break;
    dropped.add(name);
    over -= widths[names.indexOf(name)];
  }
  return [titles, ...rows].map((row) =>
    names
      .map((name, place) => (dropped.has(name) ? '' : row[name].padEnd(widths[place])))
      .join('')
      .trimEnd(),
  );
}

const REDRAW_MS = 250;

/** Shows the cluster until a key or `stopped` ends it, and leaves the last frame on the screen. */
export async function showCluster(
  cluster: LocalCluster,
  texts: ScreenTexts,
  paint: Paint,
  stopped: Promise<void>,
): Promise<void> {
  const { stdin, stdout } = process;
  let pressed: Pressed = { chosen: 1, note: '', isEnd: false };
  let drawn = 0;
  const draw = (): void => {
    cluster.askStatus();
    const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
    const { chosen, note } = pressed;
    const shown = { ...texts, note };
    const { height, lines } = frameOf(shown, cluster.members, chosen, Date.now(), paint, size);
    const up = drawn === 0 ? '' : `\u001b[${drawn}A\r`;
    stdout.write(`${up}\u001b[J${lines.join('\n')}\n`);
    drawn = height;
  };
  // The terminal wraps the lines again, so their number is not known.
  const onResize = (): void => {
    stdout.write('\u001b[2J\u001b[H');
    drawn = 0;
    draw();
  };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const onKey = (data: Buffer): void => {
    pressed = press(data.toString(), pressed.chosen, {
      act: (type, id) => cluster.act(type, id),
      nodes: cluster.members.length,
    });
    if (pressed.isEnd) end();
    draw();
  };
  stdin.setRawMode(true).on('data', onKey).resume();
  stdout.on('resize', onResize).write('\u001b[?25l');
  const timer = setInterval(draw, REDRAW_MS);
  draw();
  try {
    await Promise.race([ended, stopped]);
  } finally {
    clearInterval(timer);
    stdin.off('data', onKey).setRawMode(false).pause();
    stdout.off('resize', onResize).write('\u001b[?25h');
  }
}
