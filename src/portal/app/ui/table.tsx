// biome-ignore-all lint/a11y/noRedundantRoles: on a phone CSS makes blocks of the rows, and browsers then drop the roles
/** A table that becomes a list of cards on a phone. Roles keep it a table for screen readers there. */
import type { ComponentChildren } from 'preact';

interface Row {
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  /** What it lists is over. */
  readonly isOff?: boolean;
}

interface TableOptions {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export function Table({ label, columns, rows }: TableOptions) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table role="table" class="cards-on-phone">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(name => (
              <th key={name} scope="col" role="columnheader">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells, isOff = false }) => (
            <tr key={key} role="row" class={isOff ? 'off-row' : ''}>
              {cells.map((cell, i) => (
                <td key={columns[i]} role="cell" data-label={columns[i]}>
                  <div>{cell}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
