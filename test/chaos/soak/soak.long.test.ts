/** The judge of the soak sees a rise, and only a rise; the plot draws every series. */
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { settled, shiftOf, slopeOf } from './judge.ts';
import { soakPlot } from './plot.ts';

const test = suite('chaos: soak');

/** Half an hour of samples, with the sawtooth of a garbage collector. */
const series = (value: (minute: number) => number) =>
  Array.from({ length: 360 }, (_, n) => ({ at: n / 12, value: value(n / 12) + (15 * ((n * 7) % 23)) / 23 }));

test('a rise of more than 1 MB a minute is found beneath a sawtooth of 15 MB', () => {
  const of = (value: (minute: number) => number) => slopeOf(settled(series(value)));
  assert.ok(Math.abs(of(() => 200)) < 0.1, 'flat');
  assert.ok(Math.abs(of(minute => 200 + 1.5 * minute) - 1.5) < 0.1, 'rising');
  assert.ok(Math.abs(of(minute => 300 - 0.7 * minute) + 0.7) < 0.1, 'falling');
  assert.ok(Math.abs(of(minute => 200 - 150 * Math.exp(-minute))) < 0.1, 'caches that fill at first');
});

test('a step that stays is a shift, a moment is none', () => {
  const flat = Array<number>(100).fill(70);
  assert.is(shiftOf(flat), 0);
  assert.is(shiftOf(flat.with(50, 500)), 0, 'a moment');
  assert.is(shiftOf(flat.map((value, n) => (n < 60 ? value : value + 5))), 5, 'a step');
  assert.is(shiftOf(flat.map((value, n) => value + Math.floor(n / 10))), 7, 'a slow rise');
});

test('the plot has a line and a scale for each series, and is legible on a dark background', () => {
  const svg = soakPlot(
    'A & B',
    [0, 60, 120],
    [
      { title: 'Rising', unit: 'MB', values: [0, 5, 10], limit: 8 },
      { title: 'Nothing', unit: 'number', values: [0, 0, 0] },
    ],
  );
  assert.is(svg.match(/<path class="blue line"/g)?.length, 2);
  assert.match(svg, />Rising<[\s\S]*>MB</);
  assert.is(svg.match(/<path class="red line dashed"/g)?.length, 1);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.match(svg, /A &#38; B/);
  assert.not.match(svg, /NaN|undefined|Infinity/);
});

test.run();
