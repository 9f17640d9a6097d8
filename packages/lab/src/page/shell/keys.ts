/** Keys: translates key events into the names that actions use, and runs the action. */
import { signal } from '@preact/signals';
import { allActions, canRun } from './actions.ts';
import { readPreference, writePreference } from './preferences.ts';

/** False if the reader has switched off keys without Ctrl or ⌘ (WCAG 2.1.4). */
export const singleKeys = signal(readPreference('single-keys') !== 'off');

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  writePreference('single-keys', on ? undefined : 'off');
}

/** A second key counts as part of a pair, such as G R, within this time. */
const PAIR_MS = 1500;
const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', '+': 'Plus', '-': 'Minus', '−': 'Minus' };

/** The name of a key event, or null for a modifier alone. */
export function keyName(event: KeyboardEvent): string | null {
  const { key } = event;
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(key) || event.altKey)
    return null;
  const isLetter = /^\p{L}$/u.test(key);
  const base = NAMES[key] ?? (isLetter ? key.toUpperCase() : key);
  // The shift of a sign such as ? is part of the sign.
  const hasShift = event.shiftKey && (isLetter || base.length > 1) && !Object.hasOwn(NAMES, key);
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${hasShift ? 'Shift+' : ''}${base}`;
}

/** A clicker sends Page Down, which only a slider uses itself. */
const OWN_KEYS: Readonly<Record<string, RegExp>> = {
  checkbox: /^(Space|Enter)$/,
  radio: /^(Space|Enter|Arrow.*)$/,
  range: /^(Space|Enter|Arrow.*|Home|End|Page.*)$/,
};

/** Keys that a focused control uses itself. */
function belongsToControl(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches('textarea, select')) return true;
  if (target instanceof HTMLInputElement) {
    const isButton = ['button', 'submit', 'reset'].includes(target.type);
    const own = OWN_KEYS[target.type];
    if (own !== undefined) return own.test(name);
    if (!isButton) return true;
  }
  return (
    (name === 'Space' || name === 'Enter') &&
    target.closest('button, a[href], summary, [role=button]') !== null
  );
}

let first: { readonly name: string; readonly at: number } | null = null;

function onKey(event: KeyboardEvent): void {
  const name = keyName(event);
  if (name === null || event.defaultPrevented) return;
  const isSingle = !name.startsWith('Mod+');
  if (isSingle && (!singleKeys.peek() || belongsToControl(event.target, name))) return;
  // A dialog has its own keys.
  if (document.querySelector('dialog:modal') !== null) return;
  const pair = first !== null && event.timeStamp - first.at < PAIR_MS ? `${first.name} ${name}` : null;
  first = null;
  const actions = allActions.peek()();
  const found = [pair, name]
    .filter((keys) => keys !== null)
    .flatMap((keys) => actions.filter((action) => action.keys?.includes(keys)))
    .find(canRun);
  if (found !== undefined) {
    event.preventDefault();
    found.run();
  } else if (actions.some(({ keys }) => keys?.some((each) => each.startsWith(`${name} `)))) {
    first = { name, at: event.timeStamp };
  }
}

export function startKeys(): void {
  addEventListener('keydown', onKey);
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowRight: '→',
  ArrowLeft: '←',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Plus: '+',
  Minus: '−',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
};

/** Keys for people: `⌘ K` or `Ctrl K`, `Shift →`, `G then R`. */
export function keyText(keys: string): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  return keys
    .split(' ')
    .map((key) =>
      key
        .split('+')
        .map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (SIGNS[part] ?? part)))
        .join(' '),
    )
    .join(' then ');
}
