/** Light or dark: the link's `theme`, else the reader's choice, else the system's. */
import { computed, effect, signal } from '@preact/signals';
import { readPreference, writePreference } from './preferences.ts';
import { extra } from './router.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';

const dark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(dark.matches);
const stored = readPreference('theme');

/** The choice of the reader, kept by the browser. */
export const themeChoice = signal<ThemeChoice>(stored === 'light' || stored === 'dark' ? stored : 'system');

/** The theme that is shown. Drawings on a canvas read it to draw again. */
export const theme = computed<'light' | 'dark'>(() => {
  const wanted = extra.value.theme ?? themeChoice.value;
  if (wanted === 'light' || wanted === 'dark') return wanted;
  return isSystemDark.value ? 'dark' : 'light';
});

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  writePreference('theme', choice === 'system' ? undefined : choice);
}

export function startTheme(): void {
  dark.addEventListener('change', ({ matches }) => {
    isSystemDark.value = matches;
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
