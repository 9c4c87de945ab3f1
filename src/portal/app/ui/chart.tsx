/**
 * Stacked bars that everybody can read: with a pointer, by arrow keys, by a screen reader, and as a table. Sizes are
 * attributes of SVG, because the page allows no inline styles.
 */
import { useId, useState } from 'preact/hooks';
import { axisEnd } from '../lib/figures.ts';
import { useStrings } from '../lib/language.ts';
import { Table } from './lists.tsx';

interface Series {
  /** Class of its colour. */
  readonly kind: 'good' | 'accent' | 'bad' | 'soft';
  readonly name: string;
}

interface Column {
  readonly name: string;
  /** One number for each series. */
  readonly values: readonly number[];
}

/** A line across the chart, at a column. */
interface Mark {
  readonly at: number;
  readonly name: string;
}

interface ChartOptions {
  readonly title: string;
  /** What a column is, for the table. */
  readonly unit: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
  readonly marks?: readonly Mark[];
}

const HEIGHT = 160;
const WIDTH = 800;

export function Chart({ title, unit, series, columns, marks = [] }: ChartOptions) {
  const t = useStrings();
  const id = useId();
  const [at, setAt] = useState(columns.length - 1);
  const totals = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const end = axisEnd(Math.max(1, ...totals));
  const step = WIDTH / Math.max(1, columns.length);
  const shown = columns[Math.min(at, columns.length - 1)];
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.min(columns.length - 1, Math.max(0, to)));
  };
  const sentence =
    shown && `${shown.name}: ${series.map(({ name }, i) => `${name} ${shown.values[i]}`).join(', ')}`;
  return (
    <figure class="chart">
      <figcaption>
        <span class="strong">{title}</span>
        <span class="legend">
          {series.map(({ kind, name }) => (
            <span key={name}>
              <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                <rect width="10" height="10" class={kind} />
              </svg>{' '}
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      {/* biome-ignore-start lint/a11y: arrow keys move over the columns, and these are not fields of a form */}
      <div
        class="plot"
        role="group"
        tabIndex={0}
        aria-label={t.charts.keys(title)}
        aria-describedby={id}
        onKeyDown={move}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {columns.map(({ name, values }, i) => {
            let top = HEIGHT;
            return (
              <g key={name} class={i === at ? 'chosen' : ''} onPointerEnter={() => setAt(i)}>
                <rect class="hit" x={i * step} y={0} width={step} height={HEIGHT} />
                {values.map((value, part) => {
                  const height = (value / end) * (HEIGHT - 2);
                  top -= height;
                  return (
                    <rect
                      key={series[part]?.name}
                      class={series[part]?.kind ?? ''}
                      x={i * step + step * 0.1}
                      y={top}
                      width={step * 0.8}
                      height={height}
                    />
                  );
                })}
              </g>
            );
          })}
          {marks.map(({ at: column, name }) => (
            <line key={name} class="mark" x1={column * step} x2={column * step} y1={0} y2={HEIGHT} />
          ))}
        </svg>
      </div>
      {/* biome-ignore-end lint/a11y: arrow keys move over the columns, and these are not fields of a form */}
      {marks.length > 0 && <p class="soft small-text">{marks.map(({ name }) => name).join(' · ')}</p>}
      <p id={id} class="small-text" aria-live="polite">
        {sentence}
      </p>
      <details>
        <summary>{t.charts.table}</summary>
        <Table
          isOfFigures
          label={title}
          columns={[unit, ...series.map(({ name }) => name)]}
          rows={columns
            .filter((_, i) => totals[i] !== 0)
            .map(({ name, values }) => ({ key: name, cells: [name, ...values] }))}
        />
      </details>
    </figure>
  );
}

interface GaugeOptions {
  readonly label: string;
  readonly used: number;
  readonly most: number;
  /** Where it will be at the end. */
  readonly expected: number | null;
}

/** How much of something is used, and how much will be. */
export function Gauge({ label, used, most, expected }: GaugeOptions) {
  const width = (value: number) => Math.min(WIDTH, (value / Math.max(1, most)) * WIDTH);
  const kind = used >= most ? 'bad' : (expected ?? 0) > most ? 'warn' : 'good';
  return (
    <svg class="gauge" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="hit" width={WIDTH} height="12" />
      {expected !== null && <rect class="soft" width={width(expected)} height="12" />}
      <rect class={kind} width={width(used)} height="12" />
    </svg>
  );
}

const LINE_WIDTH = 120;
const LINE_HEIGHT = 28;

/** A line of small counts, for a card. What it shows is said in words too. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, i) => {
    const x = (i / Math.max(1, values.length - 1)) * LINE_WIDTH;
    return `${x.toFixed(1)},${(LINE_HEIGHT - 2 - (value / most) * (LINE_HEIGHT - 4)).toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
