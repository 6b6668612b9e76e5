import type { ReactNode } from 'react';

interface DataTableProps {
  readonly name: string;
  readonly heads: readonly string[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table that may be wider than its place: it scrolls by itself, with the keyboard too. */
export function DataTable({ name, heads, children }: DataTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by the keyboard.
    <div className="scroll" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
