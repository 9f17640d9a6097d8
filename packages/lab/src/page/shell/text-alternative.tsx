import type { ComponentChildren } from 'preact';

export interface TextAlternativeProps {
  /** What the table contains, as its caption. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** For tests and links, such as `nodes`. */
  readonly id?: string;
  /** For a table whose rows are read only while it is open. */
  readonly onToggle?: (isOpen: boolean) => void;
}

/** The table form of a drawing, closed at first. */
export function TextAlternative({ caption, columns, rows, id, onToggle }: TextAlternativeProps) {
  return (
    <details
      class="text-alternative"
      id={id}
      onToggle={({ currentTarget }) => onToggle?.((currentTarget as HTMLDetailsElement).open)}
    >
      <summary>As a table</summary>
      <DataTable {...{ caption, columns, rows }} />
    </details>
  );
}

/** A table in a region that scrolls. */
export function DataTable({
  caption,
  columns,
  rows,
}: Pick<TextAlternativeProps, 'caption' | 'columns' | 'rows'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table-scroll" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="only-read">{caption}</caption>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The titles of columns; `isRead` if only a screen reader needs them. */
export function TableHead({
  columns,
  isRead = false,
}: {
  readonly columns: readonly ComponentChildren[];
  readonly isRead?: boolean;
}) {
  return (
    <thead class={isRead ? 'only-read' : undefined}>
      <tr>
        {columns.map((column, at) => (
          <th key={at} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
