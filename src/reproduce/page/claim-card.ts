/** A claim on the page: what it says and who, the figure, the verdict, and what shows it. */
import { curvePlot } from '../../drawing/curve-plot.ts';
import { escapeText } from '../../drawing/svg.ts';
import type { FindingTable } from '../claim.ts';
import type { Result } from '../reproduction.ts';

export const VERDICT_WORDS = {
  confirmed: 'confirmed',
  refuted: 'refuted',
  undecided: 'not decided here',
} as const;

export function anchorOf(id: string): string {
  return `claim-${id.replace('/', '-')}`;
}

export function verdictBadge({ verdict }: Pick<Result, 'verdict'>): string {
  return `<span class="verdict ${verdict}">${VERDICT_WORDS[verdict]}</span>`;
}

export function claimCard(result: Result): string {
  const { id, says, source, method, measured, verdict, why, replay, table, plot } = result;
  const paragraphs = [
    `<p><b>Measured:</b> ${escapeText(measured)}</p>`,
    why === undefined ? '' : `<p>${escapeText(sentence(why))}</p>`,
    replay === undefined ? '' : `<pre><code>${escapeText(replay)}</code></pre>`,
    plot === undefined ? '' : `<figure class="plot">${inlined(curvePlot(plot), id)}</figure>`,
    table === undefined ? '' : tableOf(table, plot === undefined && table.rows.length > 8),
    `<p class="source">${escapeText(source)} <span class="method">· ${method}</span></p>`,
  ];
  return `<article class="claim ${verdict}" id="${anchorOf(id)}" data-claim="${escapeText(id)}" data-verdict="${verdict}">
<header><h4>${escapeText(sentence(says))}</h4>${verdictBadge(result)}</header>
${paragraphs.filter((each) => each !== '').join('\n')}
</article>`;
}

function tableOf({ columns, rows }: FindingTable, isFolded: boolean): string {
  const isNumber = (column: number): boolean =>
    rows.every((row) => /^[<≤≈−–-]?[\d.,]+( %)?$/.test(row[column] ?? ''));
  const classes = columns.map((_, column) => (isNumber(column) ? ' class="number"' : ''));
  const line = (cells: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${cells.map((cell, column) => `<${tag}${classes[column]}>${escapeText(cell)}</${tag}>`).join('')}</tr>`;
  const table = `<div class="wide"><table><thead>${line(columns, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`;
  return isFolded ? `<details><summary>all ${rows.length} figures</summary>${table}</details>` : table;
}

/** Ids within a picture are the page's: each picture has its own. */
function inlined(svg: string, id: string): string {
  const frame = `frame-${anchorOf(id)}`;
  return svg.replaceAll('url(#frame)', `url(#${frame})`).replaceAll('id="frame"', `id="${frame}"`).trim();
}

/** A capital first, unless it is a name of something. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
