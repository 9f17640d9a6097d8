/**
 * The page of all claims: one HTML file that needs nothing else.
 *
 * Guarantees: no request leaves it, and its own content policy forbids any; it is read without its script too, which only
 * sorts and picks; every text is escaped.
 */
import { escapeText } from '../../drawing/svg.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { Reproduction, Result } from '../reproduction.ts';
import { anchorOf, claimList, tableOf, VERDICT_TEXT, verdictBadge } from './claim-card.ts';
import { formulaText } from './formula-text.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** An empty picture of the page's own: else a browser asks for one. */
const ICON = '<link rel="icon" href="data:,">';

export function reproductionPage(reproduction: Reproduction): string {
  const { families, verdicts, elections, seed, quick } = reproduction;
  const results = families.flatMap(({ rows }) => rows.flatMap(({ claims }) => claims));
  const command = `hustings reproduce${quick ? ' --quick' : ''} --seed ${seed}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="hustings">
<title>What the sources claim about leader election, measured</title>
${ICON}
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>What the sources claim about leader election, measured</h1>
<p class="lead">${results.length} claims of papers and lecture notes, and some noticed on the way, each put to the test by running the elections that it speaks of.
Every figure below was measured by <code>${escapeText(command)}</code>; another seed draws other orders, delays and lots, and moves the means.</p>
<ul class="counts">
${(['confirmed', 'refuted', 'undecided'] as const)
  .map((verdict) => `<li class="${verdict}"><b>${verdicts[verdict]}</b>${VERDICT_TEXT[verdict]}</li>`)
  .join('\n')}
<li><b>${formatFigure(elections)}</b>elections run</li>
</ul>
${shortList('Where a source and the runs differ', 'Slips, and other ways of counting: each says which, and has the run that shows it.', results, 'refuted')}
${shortList('What cannot be decided by running elections', '', results, 'undecided')}
<h2 id="all">All claims</h2>
<div class="tools"><label>Find <input type="search" id="words" placeholder="a word of a claim"></label>
${(['confirmed', 'refuted', 'undecided'] as const)
  .map(
    (verdict) =>
      `<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${VERDICT_TEXT[verdict]}</label>`,
  )
  .join('\n')}
<span id="shown" role="status"></span></div>
<div class="wide"><table id="claims"><thead><tr>${['About', 'Claim', 'Measured', 'How', 'Verdict']
    .map((title) => `<th scope="col"><button type="button">${title}</button></th>`)
    .join('')}</tr></thead>
<tbody>
${results.map(tableRow).join('\n')}
</tbody></table></div>
<nav aria-label="Contents"><h2>In detail</h2><ul>
${families.flatMap(({ rows }) => rows.map(({ name, title }) => `<li><a href="#row-${name}">${escapeText(title)}</a></li>`)).join('\n')}
</ul></nav>
${families.map(familySection).join('\n')}
<footer><p>Made by <code>${escapeText(command)}</code>. “To the digit”: every election must cost just what is claimed.
“Never passed”: none may cost more. “Mean of runs”: the claim must lie within four standard errors of the mean, intervals are shown at 95 %.
“Every order” and “every schedule”: all there are, for small n. “Not decided here” says why.</p></footer>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function shortList(
  title: string,
  about: string,
  results: readonly Result[],
  verdict: Result['verdict'],
): string {
  const those = results.filter((result) => result.verdict === verdict);
  if (those.length === 0) return '';
  const item = ({ id, row, says, measured, why }: Result): string => {
    const found = verdict === 'undecided' ? (why ?? '') : [measured, why].filter(Boolean).join('; ');
    return `<li><b>${escapeText(row)}</b>: <a href="#${anchorOf(id)}">${formulaText(says)}</a> — ${formulaText(found)}</li>`;
  };
  return `<h2>${title}</h2>\n<p>${about}</p>\n<ul>\n${those.map(item).join('\n')}\n</ul>`;
}

function tableRow(result: Result): string {
  const { id, row, says, measured, method, verdict } = result;
  const cells = [
    `<td>${escapeText(row)}</td>`,
    `<td><a href="#${anchorOf(id)}">${formulaText(says)}</a></td>`,
    `<td>${formulaText(measured)}</td>`,
    `<td>${method}</td>`,
    `<td>${verdictBadge(result)}</td>`,
  ];
  return `<tr data-claim="${escapeText(id)}" data-verdict="${verdict}">${cells.join('')}</tr>`;
}

function familySection({ name, title, rows }: Reproduction['families'][number]): string {
  const sections = rows.map(
    (row) =>
      `<section id="row-${row.name}"><h3>${escapeText(row.title)} <code>${escapeText(row.name)}</code></h3>\n${row.overview === undefined ? '' : tableOf(row.overview)}\n${claimList(row.claims)}</section>`,
  );
  return `<section id="family-${name}">\n<h2>${escapeText(title)}</h2>\n${sections.join('\n')}\n</section>`;
}
