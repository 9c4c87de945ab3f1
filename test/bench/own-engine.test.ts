/** Engines of `--engine FILE`: what they get, and how a wrong, failing or impossible one is named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ownMakers } from '../../bench/own-engine.ts';
import type { Query } from '../../bench/search/expected.ts';
import { gate } from '../../bench/search/run.ts';
import { WrongUsage } from '../../bench/wrong-usage.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { benchQueries, failureOf } from './queries.ts';

const test = suite('bench, own engine');
const folder = tempFolder();

let files = 0;
function file(code: string): string {
  const path = join(folder, `${files++}.mjs`);
  writeFileSync(path, code);
  return path;
}

/** A right engine. `after` may change its answer, `before` its probe or anything else. */
const engine = ({ exact = true, before = '', after = '', name = 'mine' } = {}) => `
let calls = 0;
export default {
  name: '${name}', exact: ${exact},
  build({ vectors, n, dimensions }) {
    return {
      async search(probe) {
        calls++;
        let answer = { template: -1, distance: Infinity };
        ${before}
        for (let t = 0; t < n; t++) {
          let dot = 0;
          for (let i = 0; i < dimensions; i++) dot += vectors[t * dimensions + i] * probe[i];
          if (1 - dot < answer.distance) answer = { template: t, distance: 1 - dot };
        }
        ${after}
        return answer;
      },
    };
  },
};`;

const { gallery, queries } = benchQueries('easy', 300, 'genuine', 3);

async function gated(code: string) {
  const [maker] = await ownMakers([file(code)], ['js']);
  const engines = (await maker?.make(gallery, { names: new Set(), settings: [] })) ?? [];
  return gate(engines, gallery, { q: 3, kind: 'genuine' }, queries);
}
const failure = (code: string) => failureOf(gated(code));

test('a right engine passes, asynchronous and with several probes', async () => {
  const [judged] = await gated(engine());
  assert.equal([judged?.recall, judged?.mismatches], [1, 0]);
});

test('what an engine changes is its own', async () => {
  const [template, probe] = [gallery.vectors.slice(), queries[0]?.units[0]?.slice()];
  await gated(engine({ exact: false, after: 'vectors.fill(0); probe.fill(0);' }));
  assert.equal([gallery.vectors, queries[0]?.units[0]], [template, probe]);
});

test('one wrong answer of an exact engine stops the run, and the message says which query', async () => {
  const { message } = await failure(
    engine({ after: 'if (calls > 6 && calls <= 9) answer = { template: 5, distance: 0 };' }),
  );
  const { template, distance } = (queries[2] as Query).expected;
  const right = `template ${template} at a distance of ${distance.toFixed(7)}`;
  assert.match(
    message,
    /^mine is wrong in 1 of 8 queries \(test, n 300, q 3, genuine\): no figure is shown; /,
  );
  assert.match(
    message,
    new RegExp(`query 3: the nearest is ${right}, the engine found template 5 at \\d\\.\\d{7}$`),
  );
  const none = await failure(engine({ after: 'answer = { template: -1, distance: Infinity };' }));
  assert.match(none.message, /wrong in 8 of 8 .*query 1: .*, the engine found none/);
});

test('an approximate engine may be wrong: its recall is measured', async () => {
  const [judged] = await gated(
    engine({ exact: false, after: 'if (calls <= 3) answer = { template: 5, distance: 0 };' }),
  );
  assert.equal([judged?.recall, judged?.mismatches], [7 / 8, 1]);
});

test('an engine that throws or returns something else is named', async () => {
  const cases: [string, RegExp][] = [
    [
      engine({ before: "throw new Error('PLANTED')" }),
      /^mine threw while searching 3 probes:\nError: PLANTED\n/,
    ],
    [engine({ before: "throw 'PLANTED'" }), /^mine threw while searching 3 probes:\nPLANTED$/],
    [
      engine({ after: 'return null;' }),
      /^mine \(\S+\): search must return \{ template, distance \}, not null$/,
    ],
    [
      engine({ after: 'return { template: 300, distance: 0 };' }),
      /return a template from -1 to 299, not 300$/,
    ],
    [engine({ after: 'return { template: 0.5, distance: 0 };' }), /return a template .*, not 0\.5$/],
    [engine({ after: "return { template: '5', distance: 0 };" }), /return a template .*, not '5'$/],
    [
      engine({ after: 'return { template: 1, distance: NaN };' }),
      /return a distance that is a number, not NaN$/,
    ],
    [engine({ after: "return { template: 1, distance: '0.2' };" }), /return a distance .*, not '0\.2'$/],
    [
      "export default { name: 'mine', exact: true, build() { throw new Error('PLANTED'); } };",
      /^mine \(\S+\) threw while building its index of 300 templates:\nError: PLANTED\n/,
    ],
    [
      "export default { name: 'mine', exact: true, build() {} };",
      /build must return an object with search\(probe\)$/,
    ],
    [
      "export default { name: 'mine', exact: true, build: () => ({ search() {}, bytes: '1 MB' }) };",
      /bytes must be a number of bytes, or left out$/,
    ],
    [
      'import nothing from "./none.mjs";',
      /^--engine \S+ threw while being loaded:\nError.* Cannot find module/,
    ],
    ['export default {', /threw while being loaded:\n.*SyntaxError/s],
  ];
  for (const [code, wanted] of cases) {
    const error = await failure(code);
    assert.match(error.message, wanted);
    assert.not.instance(error, WrongUsage);
  }
});

test('a file that is no engine is refused by field', async () => {
  const cases: [string, RegExp][] = [
    ['export const engine = 1;', /its default export must be an engine \(bench\/own\.ts has the type\)$/],
    [
      'export default { exact: true, build() {} };',
      /name: must be a string of 1 to 40 characters, without commas/,
    ],
    ["export default { name: 'a,b', exact: true, build() {} };", /name: must be/],
    ["export default { name: 'mine', exact: 1, build() {} };", /exact: must be true or false/],
    ["export default { name: 'mine', exact: true };", /build: must be a function/],
    [engine({ name: 'js' }), /another engine is called "js": change its name$/],
  ];
  for (const [code, wanted] of cases) {
    const error = await failure(code);
    assert.instance(error, WrongUsage);
    assert.match(error.message, wanted);
  }
  const none = await failureOf(ownMakers([join(folder, 'none.ts')], []));
  assert.match(none.message, /^--engine: there is no file \S+none\.ts$/);
  const same = file(engine());
  const twice = await failureOf(ownMakers([same, same], []));
  assert.match(twice.message, /another engine is called "mine"/);
});

test.run();
