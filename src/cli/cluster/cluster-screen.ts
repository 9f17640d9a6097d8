/** The live view of a cluster in a terminal: a table that is redrawn, and the keys. */
import type { Paint } from '../../drawing/index.ts';
import { formatDuration } from '../flags/duration.ts';
import type { LocalCluster, LocalMember } from './local-cluster.ts';

/** What a key does. */
export type ClusterAction =
  | { readonly type: 'choose'; readonly id: number }
  | { readonly type: 'kill' | 'pause' | 'restart' | 'cut' | 'quit' };

const KEYS: Readonly<Record<string, ClusterAction['type']>> = {
  k: 'kill',
  p: 'pause',
  r: 'restart',
  c: 'cut',
  q: 'quit',
  '\u0003': 'quit',
};

/** Null for a key that does nothing. Arrows choose the next member, and digits a member. */
export function actionOf(key: string, chosen: number, nodes: number): ClusterAction | null {
  if (key === '\u001b[A') return { type: 'choose', id: Math.max(1, chosen - 1) };
  if (key === '\u001b[B') return { type: 'choose', id: Math.min(nodes, chosen + 1) };
  if (/^[1-9]$/.test(key) && Number(key) <= nodes) return { type: 'choose', id: Number(key) };
  const type = Object.hasOwn(KEYS, key) ? KEYS[key] : null;
  return type === null || type === 'choose' ? null : { type };
}

/** Carries out an action on a member. False if it ends the view. */
export function act(cluster: LocalCluster, { type }: ClusterAction, id: number): boolean {
  if (type === 'kill') cluster.kill(id);
  else if (type === 'pause') cluster.togglePause(id);
  else if (type === 'restart') void cluster.restart(id).catch(() => undefined);
  else if (type === 'cut') cluster.toggleCut(id);
  return type !== 'quit';
}

const COLUMNS = ['member', 'pid', 'state', 'leader', 'epoch', 'token', 'sent', 'received', 'last change'];
const WIDTHS = [8, 9, 9, 7, 6, 6, 8, 9, 11];

/** What stands above and below the table: the name of the cluster, and the command that shows it in the lab. */
export interface ScreenTexts {
  readonly name: string;
  readonly lab: string;
}

/** The lines of one frame. */
export function frameOf(
  { name, lab }: ScreenTexts,
  members: readonly LocalMember[],
  chosen: number,
  nowMs: number,
  paint: Paint,
): string[] {
  const row = (cells: readonly string[]): string =>
    cells.map((cell, place) => cell.padEnd(WIDTHS[place])).join(' ');
  const rows = members.map(({ changedAt, id, line, state }) => {
    const isUp = state !== 'down';
    const show = (value: unknown): string => (isUp && value != null ? String(value) : '–');
    const leads = isUp && line?.leads === true;
    const text = row([
      `${id === chosen ? '>' : ' '} ${leads ? '★' : ' '} ${id}`,
      show(line?.pid),
      state,
      show(line?.leader),
      show(line?.epoch),
      show(line?.token),
      show(line?.sent),
      show(line?.received),
      `${formatDuration(Math.max(0, nowMs - changedAt))} ago`,
    ]);
    if (leads) return paint('leader', text);
    return state === 'up' ? text : paint(state === 'down' ? 'dead' : 'faint', text);
  });
  const keys = '↑↓ or 1–9 choose   k kill   p pause or continue   r restart   c cut or heal   q quit';
  const more = [keys, `in the browser: ${lab}`].map((text) => paint('faint', text));
  return [name, '', paint('strong', row(COLUMNS)), ...rows, '', ...more];
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
  let chosen = 1;
  let drawn = 0;
  const draw = (): void => {
    cluster.askStatus();
    const lines = frameOf(texts, cluster.members, chosen, Date.now(), paint);
    const up = drawn === 0 ? '' : `\u001b[${drawn}A\r`;
    stdout.write(`${up}\u001b[J${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const onKey = (data: Buffer): void => {
    const action = actionOf(data.toString(), chosen, cluster.members.length);
    if (action?.type === 'choose') chosen = action.id;
    else if (action !== null && !act(cluster, action, chosen)) end();
    draw();
  };
  stdin.setRawMode(true).on('data', onKey).resume();
  stdout.write('\u001b[?25l');
  const timer = setInterval(draw, REDRAW_MS);
  draw();
  try {
    await Promise.race([ended, stopped]);
  } finally {
    clearInterval(timer);
    stdin.off('data', onKey).setRawMode(false).pause();
    stdout.write('\u001b[?25h');
  }
}
