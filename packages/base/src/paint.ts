/** Colours by their meaning. The screen, a terminal or a page, decides how each looks. */

/** The meaning of a colour. */
export type Tone = 'strong' | 'faint' | 'leader' | 'dead' | 'good' | 'bad';

/** Colours a piece of text. */
export type Paint = (tone: Tone, text: string) => string;
