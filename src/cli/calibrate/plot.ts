/**
 * Draws a calibration: the distances of the same person and of different persons, with the threshold, and the DET curve
 * (FMR against FNMR over all thresholds, both logarithmic). Held by test/cli/calibrate.long.test.ts.
 */
import type { Tally } from '../../calibration/comparisons.ts';
import type { Report } from '../../calibration/report.ts';
import type { Point } from '../../calibration/thresholds.ts';
import { decades, type Panel, plot, roundTicks, type Series } from '../../plot.ts';
import { counted } from '../../protocol/amounts.ts';
import { count, share } from './figures.ts';

/** The tally has 10,000 bins per 1 of distance, the picture 100. */
const TALLY_BINS = 100;

export function plotOf(report: Report): string {
  const { descriptors, persons, genuine, impostor, options } = report;
  const note = `${counted(descriptors, 'descriptor')} of ${counted(persons, 'person')}; ${count(genuine.comparisons)} genuine and ${count(impostor.comparisons)} impostor comparisons; seed ${options.seed}`;
  const panels = [distances(genuine, impostor, options.rule.threshold), det(report)];
  return plot({ title: 'Calibration', note, panels, columns: 2, width: 470, height: 360 });
}

function distances(genuine: Tally, impostor: Tally, threshold: number): Panel {
  const [same, others] = [coarse(genuine), coarse(impostor)];
  const last = Math.max(lastUsed(same), lastUsed(others), threshold * 100);
  const end = Math.ceil((last + 5) / 20) * 20;
  const highest = Math.max(...same, ...others);
  const area = (name: string, colour: 'blue' | 'ochre', bins: readonly number[]): Series => ({
    name,
    colour,
    form: 'area',
    points: [
      [0, 0],
      ...bins.slice(0, end).flatMap((value, bin): [number, number][] => [
        [bin / 100, value],
        [(bin + 1) / 100, value],
      ]),
      [end / 100, 0],
    ],
  });
  const y = { title: 'share of comparisons', ticks: roundTicks(highest), label: share };
  return {
    title: 'Distances',
    x: { title: 'cosine distance', ticks: Array.from({ length: end / 20 + 1 }, (_, n) => n / 5) },
    y,
    series: [
      ...(genuine.comparisons > 0 ? [area('same person', 'blue', same)] : []),
      ...(impostor.comparisons > 0 ? [area('different persons', 'ochre', others)] : []),
      {
        ...{ name: '', colour: 'red', dashed: true, note: `threshold ${threshold}` },
        points: [
          [threshold, y.ticks.at(-1) ?? 1],
          [threshold, 0],
        ],
      },
    ],
  };
}

/** Shares of the comparisons in bins of 0.01. */
function coarse({ histogram, comparisons }: Tally): number[] {
  const bins = Array.from({ length: Math.ceil(histogram.length / TALLY_BINS) }, () => 0);
  if (comparisons === 0) return bins;
  for (let bin = 0; bin < histogram.length; bin++)
    (bins[Math.floor(bin / TALLY_BINS)] as number) += (histogram[bin] as number) / comparisons;
  return bins;
}

const lastUsed = (bins: readonly number[]) => bins.findLastIndex(value => value > 0);

function det({ curve, centring, genuine, impostor, options, wanted }: Report): Panel {
  const x = rateAxis('FMR: different persons accepted', impostor.comparisons);
  const y = rateAxis('FNMR: same person refused', genuine.comparisons);
  const title = 'DET curve';
  if (curve.length === 0)
    return { title, x, y, series: [], empty: 'Needs both genuine and impostor comparisons: see the notes.' };
  const [fmr, fnmr] = [impostor.error?.rate ?? 0, genuine.error?.rate ?? 0];
  const isShown = wanted && wanted.wantedFmr >= (x.ticks[0] ?? 0);
  const target = isShown ? [wanted.wantedFmr] : [];
  const centred = centring && centring.verdict !== 'not needed' ? centring.curve : [];
  return {
    title,
    x,
    y,
    series: [
      ...target.map(
        (rate): Series => ({
          ...{ name: '', colour: 'purple', dashed: true, note: `FMR ${share(rate)} wanted` },
          points: [
            [rate, 1],
            [rate, y.ticks[0] ?? 0],
          ],
        }),
      ),
      ...(centred.length > 0 ? [line('centred', 'green', centred)] : []),
      line('', 'black', curve),
      {
        ...{ name: '', colour: 'red', form: 'points' },
        points: [[fmr, fnmr]],
        note: `at ${options.rule.threshold}: FMR ${share(fmr)}, FNMR ${share(fnmr)}`,
      },
    ],
  };
}

const line = (name: string, colour: 'green' | 'black', curve: readonly Point[]): Series => ({
  name,
  colour,
  dashed: name !== '',
  points: [{ fmr: 0, fnmr: 1 }, ...curve].map(({ fmr, fnmr }) => [fmr, fnmr]),
});

/** From the smallest rate that so many comparisons can show, at least 1e-7. */
function rateAxis(title: string, comparisons: number) {
  const lowest = Math.max(-7, Math.min(-1, -Math.ceil(Math.log10(comparisons))));
  const label = (rate: number) => (rate >= 0.01 ? `${rate * 100} %` : rate.toExponential());
  return { title, log: true, ticks: decades(lowest, 0), label };
}
