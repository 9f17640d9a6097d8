/** The style of the page: light, dark and print, from a phone to a wide screen. It loads no font and no image. */
import { PALETTES, SANS, SERIF, type Theme } from '@hustings/study/drawing';

/** Colours that only pages use. */
const PAGE_COLOURS: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: { well: '#ffffff', greenwash: '#e5f0e4', bluewash: '#e3edf7', open: '#6b5a12' },
  dark: { well: '#151d26', greenwash: '#16301d', bluewash: '#18304a', open: '#f3bd3c' },
};

/** The variables of a theme. Plots use the same names. */
function variables(theme: Theme): string {
  return Object.entries({ ...PALETTES[theme], ...PAGE_COLOURS[theme] })
    .map(([name, value]) => `--${name.toLowerCase()}: ${value};`)
    .join(' ');
}

const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export const PAGE_STYLE = `
:root { color-scheme: light dark; ${variables('light')} --sans: ${SANS}; --serif: ${SERIF}; }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
main { max-width: 68rem; margin: 0 auto; padding: 2.6rem 1.25rem 6rem; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; text-wrap: balance; }
h1 { font-size: 2.1rem; line-height: 1.15; margin: 0 0 1.25rem; }
h2 { font-size: 1.7rem; line-height: 1.2; margin: 3.4rem 0 .6rem; padding-top: .8rem; border-top: 1px solid var(--line2); }
h3 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; }
h3 code { font-size: .72em; font-weight: normal; color: var(--ink3); margin-left: .4em; }
p.lead { font: 1.1rem/1.5 var(--serif); max-width: 46rem; color: var(--ink2); margin: 0 0 1.25rem; }
code { font-family: ${MONO}; font-size: .88em; font-variant-ligatures: none; overflow-wrap: anywhere; } .option { white-space: nowrap; }
a { color: var(--blue); text-underline-offset: .15em; } #claims a { color: inherit; text-decoration-color: var(--line2); }
sub, sup { font-size: .72em; line-height: 0; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; border-radius: 3px; }
:target { outline: 2px solid var(--blue); outline-offset: 4px; scroll-margin-top: 1rem; }

.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: .75rem 1.25rem; margin: 0 0 1.25rem; padding: 0; list-style: none; }
.counts li { border-top: 2px solid var(--line2); padding-top: .3rem; color: var(--ink2); font-size: .87rem; }
.counts b { display: block; font: 1.7rem/1.2 var(--serif); color: var(--ink); }
.counts .confirmed { border-color: var(--green); } .counts .refuted { border-color: var(--crimson); } .counts .illustrated, .counts .undecided { border-color: var(--gold); }

/* The sign comes before the colour, so grey print and colour-blind readers lose nothing. */
.verdict { display: inline-block; border-radius: 3px; padding: 0 .45em; font-weight: 600; font-size: .8rem; line-height: 1.6; white-space: nowrap; }
.verdict::before { margin-right: .35em; }
.verdict.confirmed { color: var(--green); background: var(--greenwash); } .verdict.confirmed::before { content: '✓'; }
.verdict.refuted { color: var(--crimson); background: var(--crimsonwash); } .verdict.refuted::before { content: '✗'; }
.verdict.illustrated, .verdict.undecided { color: var(--open); background: var(--goldwash); }
.verdict.illustrated::before { content: '~'; } .verdict.undecided::before { content: '–'; }
.kind { font-size: .8rem; color: var(--ink3); white-space: nowrap; }
.badges { white-space: nowrap; }

.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: .8rem; color: var(--ink3); }
td.number, th.number { text-align: right; }
th button { all: unset; cursor: pointer; min-height: 24px; } th button:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
th[aria-sort='ascending'] button::after { content: ' ▲'; } th[aria-sort='descending'] button::after { content: ' ▼'; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; align-items: center; margin: .4rem 0 .8rem; font-size: .87rem; color: var(--ink2); }
.tools label { display: inline-flex; align-items: center; gap: .35em; min-height: 24px; }
.tools input[type='search'] { font: inherit; min-height: 32px; padding: .2rem .6rem; border: 1px solid var(--edge); border-radius: 5px; background: var(--well); color: inherit; width: 15rem; max-width: 100%; }
#claims td:nth-child(4), #claims td:nth-child(5) { width: 34%; }
ul.short { list-style: none; padding: 0; } ul.short li { padding: .6rem 0; border-bottom: 1px solid var(--line); } ul.short .found { color: var(--ink2); }

article.claim { background: var(--well); border: 1px solid var(--line); border-left: 3px solid var(--line2); border-radius: 6px; padding: .8rem 1rem; margin: .75rem 0; }
article.claim.refuted { border-left-color: var(--crimson); } article.claim.illustrated, article.claim.undecided { border-left-color: var(--gold); }
article.claim h4 { margin: .2rem 0 0; font-size: 1rem; font-weight: 600; }
article.claim p { margin: .35rem 0 0; }
table.plain { margin: .75rem 0; } table.plain td:nth-child(1) { width: 11rem; } table.plain td:nth-child(2) { width: 45%; }
.source, .method { color: var(--ink3); font-size: .82rem; }
.command { display: flex; gap: .5rem; align-items: flex-start; margin-top: .5rem; }
.command pre { flex: 1; min-width: 0; margin: 0; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 5px; background: var(--sunk); white-space: pre-wrap; }
.command button { min-height: 32px; padding: 0 .7rem; border: 1px solid var(--edge); border-radius: 5px; background: var(--well); color: var(--ink); font: inherit; font-size: .8rem; cursor: pointer; }
details { margin-top: .3rem; } summary { cursor: pointer; font-size: .82rem; color: var(--blue); min-height: 24px; width: fit-content; }
figure.plot { margin: 1rem 0 .5rem; } figure.plot svg { display: block; width: 100%; height: auto; max-width: 940px; }
figure.plot .narrow-plot { display: none; }
figure.plot .wide-plot { overflow-x: auto; }
nav ul { columns: 16rem; padding-left: 1.1rem; }
footer { margin-top: 4rem; color: var(--ink3); font-size: .87rem; }

@media (max-width: 719px) {
  main { padding: 1.25rem .75rem 4rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.4rem; margin-top: 2.6rem; }
  p.lead { font-size: 1.05rem; }
  .counts { grid-template-columns: repeat(2, 1fr); }
  article.claim { padding: .7rem .75rem; }
  .wide table { font-size: .82rem; } .wide th { font-size: .7rem; } .wide th, .wide td { padding-right: .25rem; }
  figure.plot .wide-plot { display: none; } figure.plot .narrow-plot { display: block; }
  figure.plot svg { max-width: 30rem; }
  /* A row is a block: verdict, kind and subject on one line, the rest below. */
  #claims, #claims tbody, table.plain, table.plain tbody { display: block; }
  #claims thead { display: block; margin-bottom: .5rem; } #claims thead tr { display: flex; flex-wrap: wrap; gap: 0 1rem; } #claims thead tr::before { content: 'Sort by'; color: var(--ink3); font-size: .8rem; align-self: center; }
  #claims th { border: 0; padding: .2rem 0; } #claims th button { min-height: 44px; display: inline-flex; align-items: center; }
  #claims tbody tr, table.plain tr { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; padding: .7rem 0; border-bottom: 1px solid var(--line); }
  #claims tbody tr[hidden] { display: none; }
  #claims td, table.plain td { border: 0; padding: 0; }
  #claims td:nth-child(4), #claims td:nth-child(5), table.plain td:nth-child(n) { flex: 1 0 100%; width: 100%; min-width: 0; }
  #claims td:nth-child(3) { font-weight: 600; } #claims td:nth-child(6), #claims th:nth-child(6) { display: none; }
  #claims td:nth-child(5), table.plain td:nth-child(3) { color: var(--ink2); }
  .tools label, summary, .command button { min-height: 44px; } summary { padding: .6rem 0; }
  .tools label:first-child { width: 100%; } .tools input[type='search'] { flex: 1; width: auto; min-width: 0; min-height: 44px; font-size: 16px; }
}
@media print {
  :root { color-scheme: light; ${variables('light')} --paper: #fff; --well: #fff; --sunk: #fff; --blue: #000; --greenwash: #fff; --crimsonwash: #fff; --goldwash: #fff; }
  body { font-size: 9.5pt; } main { max-width: none; padding: 0; }
  .tools, nav, .command button, summary { display: none; }
  figure.plot .wide-plot { display: block; } figure.plot .narrow-plot { display: none; }
  .verdict { border: 1px solid currentColor; }
  article.claim, figure, tr, ul.short li { break-inside: avoid; } h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
`;
