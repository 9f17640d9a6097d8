/** The colours of all drawings on the page: the custom properties of the design, so that a change of theme redraws nothing. */
import type { Palette } from '@hustings/study/drawing';

export const PAGE_PALETTE: Palette = {
  paper: 'var(--well)',
  sunk: 'var(--sunk)',
  ink: 'var(--ink)',
  ink2: 'var(--ink2)',
  ink3: 'var(--ink3)',
  edge: 'var(--edge)',
  idleLink: 'var(--edge)',
  usedLink: 'var(--ink3)',
  line: 'var(--line)',
  line2: 'var(--line2)',
  blue: 'var(--blue)',
  rust: 'var(--rust)',
  crimson: 'var(--crimson)',
  green: 'var(--green)',
  purple: 'var(--purple)',
  gold: 'var(--gold)',
  onGold: 'var(--on-gold)',
  goldWash: 'var(--gold-wash)',
  crimsonWash: 'var(--crimson-wash)',
  // The page fades with the property --ghost.
  ghost: 1,
};
