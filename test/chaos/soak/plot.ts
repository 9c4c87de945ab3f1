/** One small panel for each figure of the soak over a common time, with the line that it has to stay below. */
import { plot, roundTicks, type Series } from '../../../src/plot.ts';

export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** A line that the values have to stay below. */
  readonly limit?: number;
}

/** @param seconds when each value was taken */
export function soakPlot(note: string, seconds: readonly number[], figures: readonly Figure[]): string {
  const minutes = seconds.map(at => at / 60);
  const x = { title: 'minutes', ticks: roundTicks(minutes.at(-1) ?? 1) };
  const panels = figures.map(({ title, unit, values, limit }) => {
    const ticks = roundTicks(Math.max(...values));
    const line = {
      name: '',
      colour: 'blue',
      points: values.map((value, n) => [minutes[n] ?? 0, value]),
    } as Series;
    const bound = limit !== undefined && limit <= (ticks.at(-1) ?? 0) ? [boundOf(limit, x.ticks)] : [];
    return { title, x, y: { title: unit, ticks }, series: [line, ...bound] };
  });
  return plot({ title: 'Soak', note, panels, columns: 3, width: 330, height: 190 });
}

const boundOf = (limit: number, ticks: readonly number[]): Series => ({
  name: '',
  colour: 'red',
  dashed: true,
  points: [
    [0, limit],
    [ticks.at(-1) ?? 0, limit],
  ],
});
