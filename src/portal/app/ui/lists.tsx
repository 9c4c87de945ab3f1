// biome-ignore-all lint/a11y/noRedundantRoles: on a phone CSS makes blocks of the rows, and browsers then drop the roles
/** Lists: their filters, a table that becomes cards on a phone, rows with buttons, and older rows on request. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useStrings } from '../lib/language.ts';
import { useLoad } from '../lib/use-load.ts';
import { Act, Form, type FormOptions, useTask } from './form.tsx';

const WIDE = matchMedia('(min-width: 40rem)');

interface FiltersOptions {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What a list is asked for. On a phone it is folded, so that the list is seen first. */
export function Filters({ label, children }: FiltersOptions) {
  const [isWide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const change = () => setWide(WIDE.matches);
    WIDE.addEventListener('change', change);
    return () => WIDE.removeEventListener('change', change);
  }, []);
  return (
    <section class="card" aria-label={label}>
      <details open={isWide}>
        <summary hidden={isWide}>{label}</summary>
        <div class="filters">{children}</div>
      </details>
    </section>
  );
}

export type Filter = Readonly<Record<string, string>>;

interface FilterOptions<K extends string> {
  readonly fields: NonNullable<FormOptions<K>['fields']>;
  /** Gets the fields that say something. */
  readonly onShow: (filter: Filter) => void;
}

/** Filters of what was recorded: those of the list, and two days. */
export function FilterForm<K extends string>({ fields, onShow }: FilterOptions<K>) {
  const t = useStrings();
  const days = {
    since: { label: t.events.since, kind: 'day' },
    until: { label: t.events.until, kind: 'day' },
  };
  return (
    <Filters label={t.events.show}>
      <Form
        kind="secondary"
        submit={t.events.show}
        fields={{ ...fields, ...days }}
        onSubmit={values =>
          onShow(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
        }
      />
    </Filters>
  );
}

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
  /** Figures: the first cell names the row, and the table stays one on a phone. */
  readonly isOfFigures?: boolean;
}

/** Roles keep it a table for screen readers on a phone. */
export function Table({ label, columns, rows, isOfFigures = false }: TableOptions) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={isOfFigures ? 'scroll in-card' : 'scroll'} tabIndex={0} aria-label={label}>
      <table role="table" class={isOfFigures ? '' : 'cards-on-phone'}>
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
              {cells.map((cell, i) =>
                isOfFigures && i === 0 ? (
                  <th key={columns[i]} scope="row" role="rowheader">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[i]} role="cell" data-label={columns[i]}>
                    <div>{cell}</div>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface Item {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly about?: ComponentChildren;
  /** Buttons. */
  readonly acts?: ComponentChildren;
}

/** Few things with a line about each, and buttons. */
export function Items({ of }: { readonly of: readonly Item[] }) {
  return (
    <ul class="list">
      {of.map(({ key, name, about, acts }) => (
        <li key={key}>
          <div>
            {name}
            {about && <div class="soft small-text">{about}</div>}
          </div>
          {acts && <div class="actions">{acts}</div>}
        </li>
      ))}
    </ul>
  );
}

interface Page<T> {
  readonly rows: readonly T[];
  /** Where older rows begin, if there are any. */
  readonly next: string | null;
}

/**
 * A list that is read from its newest end.
 * @param load null: it is not for this operator
 * @returns the rows of all pages that were asked for, and the button for more of them, whose faults the task has
 */
export function usePaged<T, P extends Page<T>>(
  key: string,
  text: string,
  load: (from: string | null, signal?: AbortSignal) => Promise<(P & Page<T>) | null>,
) {
  const first = useLoad(key, signal => load(null, signal));
  const [more, setMore] = useState<Page<T> | null>(null);
  const task = useTask();
  const rows = [...(first.data?.rows ?? []), ...(more?.rows ?? [])];
  const next = (more ?? first.data)?.next ?? null;
  const ask = async () => {
    const page = await load(next);
    if (page) setMore({ rows: [...(more?.rows ?? []), ...page.rows], next: page.next });
  };
  const older = next !== null && <Act look="" text={text} task={task} action={ask} />;
  return { first, rows, older, task };
}
