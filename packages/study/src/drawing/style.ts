/** Colours, fonts and sizes of every picture. Colour is the third signal, after shape and label: all marks survive grey print. */

/** Named colours of one theme. */
export interface Palette {
  readonly paper: string;
  /** Passive nodes and idle time. */
  readonly sunk: string;
  /** Text, nodes, election messages. */
  readonly ink: string;
  /** Secondary text, lifelines. */
  readonly ink2: string;
  /** Captions, axis labels, upkeep. */
  readonly ink3: string;
  /** Outlines and junctions: 3:1 on paper. */
  readonly edge: string;
  /** Links over which no message was sent yet, and those over which one was. */
  readonly idleLink: string;
  readonly usedLink: string;
  /** Hairlines: never the only carrier of meaning. */
  readonly line: string;
  readonly line2: string;
  /** The present, and what is selected. */
  readonly blue: string;
  /** Announcements. */
  readonly rust: string;
  /** Crashes, losses, violations. */
  readonly crimson: string;
  readonly green: string;
  /** The second curve of a plot. */
  readonly purple: string;
  /** The leader; always with an outline in ink. */
  readonly gold: string;
  /** Text on gold. */
  readonly onGold: string;
  readonly goldWash: string;
  readonly crimsonWash: string;
  /** Opacity of what has not happened yet. */
  readonly ghost: number;
}

/** Dark on light, or light on dark. */
export type Theme = 'light' | 'dark';

/** The colours of both themes. */
export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    paper: '#faf9f5',
    sunk: '#f1efe8',
    ink: '#1b2a3a',
    ink2: '#46535f',
    ink3: '#5e6974',
    edge: '#8b877b',
    idleLink: '#b8b4a7',
    usedLink: '#8b877b',
    line: '#dedbd1',
    line2: '#b8b4a7',
    blue: '#17599c',
    rust: '#a4470c',
    crimson: '#a3142e',
    green: '#2c6b38',
    purple: '#7a3e9d',
    gold: '#f0b429',
    onGold: '#1b2a3a',
    goldWash: '#fcf1cf',
    crimsonWash: '#f9e7e8',
    ghost: 0.46,
  },
  dark: {
    paper: '#10161d',
    sunk: '#0c1117',
    ink: '#e8ebee',
    ink2: '#b4bec8',
    ink3: '#8f9ba7',
    edge: '#6f7e8d',
    idleLink: '#4a5867',
    usedLink: '#6f7e8d',
    line: '#2a3541',
    line2: '#4a5867',
    blue: '#7fb6ee',
    rust: '#eea06b',
    crimson: '#ff8a95',
    green: '#80c78d',
    purple: '#c79be6',
    gold: '#f3bd3c',
    onGold: '#1b2a3a',
    goldWash: '#332a12',
    crimsonWash: '#3d1a22',
    ghost: 0.5,
  },
};

/** Fonts of labels and data; none is downloaded. */
export const SANS =
  "Inter, system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
/** Fonts of titles. */
export const SERIF =
  "'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', P052, 'Book Antiqua', Georgia, 'Noto Serif', serif";

/** slide: 16:9, readable from the back; page: 4:3, printed; poster: √2:1, with room for the labels of long runs. */
export type PictureSize = 'slide' | 'page' | 'poster';

/** A sheet in pixels. */
export interface SheetSize {
  readonly width: number;
  readonly height: number;
  /** Font size of labels; titles and captions follow from it. */
  readonly text: number;
}

/** The sheets in pixels. */
export const SHEET_SIZES: Readonly<Record<PictureSize, SheetSize>> = {
  slide: { width: 1280, height: 720, text: 16 },
  page: { width: 960, height: 720, text: 13 },
  poster: { width: 2200, height: 1556, text: 20 },
};

/** How a picture looks. */
export interface PictureStyle {
  readonly size: PictureSize;
  readonly theme: Theme;
  /** No background, for a page of any colour. Halos of labels keep the colour of the theme. */
  readonly transparent: boolean;
}

/** A light slide. */
export const DEFAULT_STYLE: PictureStyle = { size: 'slide', theme: 'light', transparent: false };
