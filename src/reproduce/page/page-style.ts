/** The style of the page: light, dark and print. It loads no font and no image. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c242c; --soft: #5b6772; --line: #dcdfe2; --accent: #1b4f8a;
  --good: #1d6b37; --good-back: #e4f2e7; --bad: #a02525; --bad-back: #fbe6e4; --open: #6b5a12; --open-back: #f7f0d8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --card: #1b2127; --ink: #e4e8eb; --soft: #9aa6b1; --line: #343d46; --accent: #8dbbf0;
    --good: #84d29a; --good-back: #1a3122; --bad: #f2a09a; --bad-back: #3b1f1f; --open: #e0cb7c; --open-back: #332d17;
  }
  figure.plot svg { filter: invert(0.9) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif;
}
main { max-width: 68rem; margin: 0 auto; padding: 3rem 1.5rem 6rem; }
h1 { font-size: 2.3rem; line-height: 1.15; margin: 0 0 .6rem; letter-spacing: -.01em; }
h2 { font-size: 1.55rem; margin: 3.5rem 0 .5rem; padding-top: .8rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.18rem; margin: 2.4rem 0 .6rem; }
h3 code { font-size: .8em; font-weight: normal; color: var(--soft); margin-left: .4em; }
p.lead { font-size: 1.15rem; max-width: 46rem; color: var(--soft); margin: 0 0 2rem; }
code, kbd, .figure { font-family: ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .86em; }
a { color: var(--accent); text-underline-offset: .15em; } #claims a { color: inherit; text-decoration: none; } #claims a:hover { text-decoration: underline; }
sub, sup { font-size: .72em; line-height: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 0 0 2rem; padding: 0; list-style: none; }
.counts li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; }
.counts b { display: block; font-size: 2rem; line-height: 1.1; font-variant-numeric: tabular-nums; }
.counts .confirmed b { color: var(--good); } .counts .refuted b { color: var(--bad); } .counts .undecided b, .counts .illustrated b { color: var(--open); }
.verdict { display: inline-block; border-radius: 5px; padding: .05em .5em; font: 600 .8rem/1.5 system-ui, sans-serif; white-space: nowrap; }
.verdict.confirmed { color: var(--good); background: var(--good-back); }
.verdict.refuted { color: var(--bad); background: var(--bad-back); }
.verdict.undecided, .verdict.illustrated { color: var(--open); background: var(--open-back); }
.kind { font: .8rem/1.5 system-ui, sans-serif; color: var(--soft); white-space: nowrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .38rem .6rem; border-bottom: 1px solid var(--line); }
th { font: 600 .8rem/1.4 system-ui, sans-serif; color: var(--soft); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort='ascending'] button::after { content: ' ▲'; } th[aria-sort='descending'] button::after { content: ' ▼'; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center; margin: .4rem 0 .8rem; font: .86rem system-ui, sans-serif; color: var(--soft); }
.tools input[type='search'] { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; min-width: 15rem; }
article.claim { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; margin: .7rem 0; }
table.plain { background: var(--card); border: 1px solid var(--line); border-radius: 10px; border-collapse: separate; border-spacing: 0; margin: .7rem 0; }
table.plain tr:last-child td { border-bottom: 0; } table.plain td:first-child { width: 50%; } table.plain td:last-child { text-align: right; }
.source { color: var(--soft); font-size: .86rem; }
:target { outline: 3px solid var(--accent); outline-offset: 2px; }
article.claim.refuted { border-left: 5px solid var(--bad); }
article.claim.undecided, article.claim.illustrated { border-left: 5px solid var(--open); }
article.claim header { display: flex; gap: .8rem; align-items: baseline; justify-content: space-between; }
article.claim header > span { white-space: nowrap; }
article.claim h4 { margin: 0; font-size: 1.02rem; font-weight: 600; }
article.claim p { margin: .35rem 0 0; }
article.claim .source, article.claim .method { color: var(--soft); font-size: .86rem; }
article.claim pre { margin: .5rem 0 0; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin-top: .5rem; } summary { cursor: pointer; font: .86rem system-ui, sans-serif; color: var(--soft); }
figure.plot { margin: .9rem 0 0; } figure.plot svg > rect:first-of-type { fill: none; } figure.plot svg { width: 100%; height: auto; max-width: 56rem; }
nav ul { columns: 18rem; padding-left: 1.1rem; font-size: .95rem; }
footer { margin-top: 4rem; color: var(--soft); font-size: .9rem; }
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000;
    --good: #000; --good-back: #fff; --bad: #000; --bad-back: #fff; --open: #000; --open-back: #fff; }
  figure.plot svg { filter: none; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  .tools, nav { display: none; }
  .verdict { border: 1px solid #000; } .verdict.refuted { font-style: italic; }
  article.claim, figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
`;
