/** A claim in the report: its sentence and source, the figure, the verdict, and the command that reproduces it. */
import { capitalized } from '@hustings/base';
import { PALETTES, type Palette, type Plot } from '@hustings/study/drawing';
import { layoutPlot } from '@hustings/study/internal/drawing/plot/plot-layout';
import { renderPlot } from '@hustings/study/internal/drawing/plot/render-plot';
import { escapeText } from '@hustings/study/internal/drawing/svg';
import type { FindingTable } from '../claim.ts';
import { originText } from '../origin.ts';
import type { Result } from '../reproduction.ts';
import { formulaText } from './formula-text.ts';
import { type CommandOf, commandBox, foldedCommand } from './run-command.ts';

export function anchorOf(id: string): string {
  return `claim-${id.replace('/', '-')}`;
}

export function verdictBadge({ verdict }: Pick<Result, 'verdict'>): string {
  return `<span class="verdict ${verdict}">${verdict}</span>`;
}

/** What the claim is: stated by a source, following from one, or our own. */
export function kindBadge({ origin }: Pick<Result, 'origin'>): string {
  return `<span class="kind">${origin.type}</span>`;
}

/** Verdict and kind, which come before everything else. */
export function badges(result: Pick<Result, 'verdict' | 'origin'>): string {
  return `<span class="badges">${verdictBadge(result)} ${kindBadge(result)}</span>`;
}

/** The claims of a row: a table line each if one line says everything, otherwise a card. */
export function claimList(results: readonly Result[], commandOf: CommandOf): string {
  const plain = results.filter(isPlain);
  const lines = plain.map(
    (result) =>
      `<tr id="${anchorOf(result.id)}" data-detail="${escapeText(result.id)}"><td>${badges(result)}</td>` +
      `<td>${formulaText(sentence(result.says))}<div class="source">${escapeText(originText(result.origin))}</div></td>` +
      `<td>${formulaText(result.measured)}${foldedCommand(commandOf(result))}</td></tr>`,
  );
  const table =
    plain.length === 0 ? '' : `<table class="plain"><tbody>\n${lines.join('\n')}\n</tbody></table>`;
  return [table, ...results.filter((each) => !isPlain(each)).map((each) => claimCard(each, commandOf))].join(
    '\n',
  );
}

function isPlain({ plot, table, verdict, why }: Result): boolean {
  return verdict === 'confirmed' && [plot, table, why].every((each) => each === undefined);
}

function claimCard(result: Result, commandOf: CommandOf): string {
  const { id, says, origin, method, measured, verdict, why, table, plot } = result;
  const paragraphs = [
    `<p><b>Measured:</b> ${formulaText(measured)}</p>`,
    why === undefined ? '' : `<p>${formulaText(sentence(why))}</p>`,
    commandBox(commandOf(result)),
    plot === undefined ? '' : pagePlot(plot),
    table === undefined ? '' : tableOf(table, plot === undefined && table.rows.length > 8),
    `<p class="source">${escapeText(originText(origin))} <span class="method">· ${method}</span></p>`,
  ];
  return `<article class="claim ${verdict}" id="${anchorOf(id)}" data-detail="${escapeText(id)}">
<header>${badges(result)}<h4>${formulaText(sentence(says))}</h4></header>
${paragraphs.filter((each) => each !== '').join('\n')}
</article>`;
}

export function tableOf({ columns, rows }: FindingTable, isFolded = false): string {
  const isNumber = (column: number): boolean =>
    rows.every((row) => /^[<≤≈−–-]?[\d.,]+( %)?$/.test(row[column] ?? ''));
  const classes = columns.map((_, column) => (isNumber(column) ? ' class="number"' : ''));
  const line = (cells: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${cells.map((cell, column) => `<${tag}${classes[column]}>${formulaText(cell)}</${tag}>`).join('')}</tr>`;
  const table = `<div class="wide"><table><thead>${line(columns, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`;
  return isFolded ? `<details><summary>all ${rows.length} figures</summary>${table}</details>` : table;
}

/** Capitalises the first letter, unless the text begins with a variable such as n, k or L_r. */
function sentence(text: string): string {
  return /^(?:a |[a-z]{2})/.test(text) ? capitalized(text) : text;
}

const WIDE = { width: 940, height: 530, text: 14 };
const NARROW = { width: 320, height: 400, text: 13.5 };

/** Every colour is a variable of the page. A hollow mark has the colour of the card under it. */
const COLOURS: Palette = {
  ...(Object.fromEntries(
    Object.keys(PALETTES.light).map((name) => [name, `var(--${name.toLowerCase()})`]),
  ) as unknown as Palette),
  paper: 'var(--well)',
  ghost: PALETTES.light.ghost,
};

/** A plot, drawn twice: wide, and narrow for a phone. The style shows one of them. It follows the theme of the reader. */
function pagePlot(plot: Plot): string {
  const draw = (sheet: typeof WIDE): string =>
    renderPlot(layoutPlot(plot, sheet), `${plot.title}. ${plot.subtitle}`, {
      palette: COLOURS,
      background: null,
    }).trim();
  return `<figure class="plot"><div class="wide-plot">${draw(WIDE)}</div><div class="narrow-plot">${draw(NARROW)}</div></figure>`;
}
