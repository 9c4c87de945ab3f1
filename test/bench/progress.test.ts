/** Progress of the bench: shown while galleries, right answers and indexes are made, on terminals and elsewhere. */
import * as assert from 'uvu/assert';
import { withSeconds } from '../../bench/progress.ts';
import { templates } from '../../bench/search/data.ts';
import { asQueries } from '../../bench/search/expected.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { benchQueries } from './queries.ts';

const test = suite('bench, progress');
const folder = tempFolder();
const CLEAR = '\r\u001b[K';
const gallery = { ...benchQueries('easy', 1500, 'genuine', 1, 1).gallery, key: 'test', folder };

/** What is written to stderr as a terminal while time passes `step` ms with every look at the clock. */
async function shownBy(work: () => unknown, step = 250): Promise<string> {
  const { write } = process.stderr;
  const tty = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  const { now } = performance;
  let written = '';
  let time = 0;
  process.stderr.write = (text: string | Uint8Array) => {
    written += text;
    return true;
  };
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  performance.now = () => (time += step);
  try {
    await work();
  } finally {
    process.stderr.write = write;
    performance.now = now;
    if (tty) Object.defineProperty(process.stderr, 'isTTY', tty);
    else Reflect.deleteProperty(process.stderr, 'isTTY');
  }
  return written.replaceAll(CLEAR, '~');
}
const percents = (written: string) => [...written.matchAll(/(\d+) %/g)].map(([, percent]) => Number(percent));

test('making templates, and computing right answers, report how far they are', async () => {
  const made: number[] = [];
  templates('easy', 10_000, count => made.push(count));
  assert.equal(made, [0, 4096, 8192]);
  const found = await shownBy(() => asQueries(gallery, [[Array.from({ length: 128 }, () => 1)]]));
  assert.match(found, /computing the right answers \[#+\.+\] \d+ %/);
  assert.ok(percents(found).length > 2);
});

test('work that cannot say how far it is counts the seconds', async () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  let ticked = () => {};
  const ticks = new Promise<void>(resolve => {
    ticked = resolve;
  });
  const result = await withSeconds('building', () => ticks.then(() => 7), {
    stream: {
      ...stream,
      write: text => {
        written.push(text);
        ticked();
      },
    },
    every: 50,
  });
  assert.is(result, 7);
  assert.match(written[0] ?? '', /building, seconds( …|: \d)/);
  assert.is(written.at(-1), CLEAR, 'the bar is gone at the end');
});

test.run();
