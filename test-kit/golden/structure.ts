/**
 * What two versions of a picture or a page must have in common. A picture: its elements, in order, with their labels and
 * the numbers in them, but not where they stand and how they look. A page: its headings, paragraphs, list items, table
 * cells and code, but not how lines are wrapped. State counts of reduced searches are left out: they change with the
 * reduction and say nothing about the algorithm.
 */

export function structureOf(path: string, text: string): string {
  if (path.endsWith('.svg')) return svgStructure(text).join('\n');
  if (path.endsWith('.md')) return pageStructure(text).join('\n');
  return text;
}

export function svgStructure(svg: string): string[] {
  return [...svg.matchAll(/<([a-zA-Z]+)([^>]*)>([^<]*)/g)].map(([, tag, attributes, text]) =>
    [tag, attributes.includes('stroke-dasharray') ? 'dashed' : '', text.trim()].filter(Boolean).join(' '),
  );
}

/** One entry for each block of the page; a table has one for each row, code one for each line. */
export function pageStructure(page: string): string[] {
  const blocks: string[] = [];
  let head: readonly string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of page.split('\n')) {
    const isFence = /^\s*```/.test(line);
    if (isCode || isFence) {
      blocks.push(line);
      isCode = isCode !== isFence;
      isOpen = false;
      continue;
    }
    const text = line.trim().replace(/\s+/g, ' ');
    if (!line.startsWith('|')) head = [];
    if (text === '') isOpen = false;
    else if (line.startsWith('|')) {
      const cells = cellsOf(line);
      if (head.length === 0) head = cells;
      blocks.push(rowStructure(head, cells));
      isOpen = false;
    } else if (isOpen && !/^(#|[-*] |\d+\. |<!--)/.test(text)) {
      blocks[blocks.length - 1] += ` ${text}`;
    } else {
      blocks.push(text);
      isOpen = !/^(#|<!--)/.test(text);
    }
  }
  return blocks;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function rowStructure(head: readonly string[], cells: readonly string[]): string {
  const isReduced = cells[head.indexOf('reduced')] === 'yes';
  const shown = cells.map((cell, column) => {
    if (/^:?-+:?$/.test(cell)) return '-';
    return isReduced && ['states', 'transitions'].includes(head[column]) ? '…' : cell;
  });
  return `| ${shown.join(' | ')} |`;
}
