import type { ReactNode } from 'react';

interface DataTableProps {
  readonly name: string;
  readonly heads: readonly string[];
  /** Heads of columns with figures; their cells have the class `number`. */
  readonly numberHeads?: readonly string[];
  /** Table rows. */
  readonly children: ReactNode;
}

/** Table that scrolls horizontally when it is wider than its container, with the keyboard too. */
export function DataTable({ name, heads, numberHeads = [], children }: DataTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by the keyboard.
    <div className="scroll" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={numberHeads.includes(head) ? 'number' : undefined}>
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
