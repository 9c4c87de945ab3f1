/**
 * Runs everything that the documents' figures rest on, one after the other, in about half a day on two cores. It needs what
 * .ci/run installs, and root for some trials. The output of each command goes into a file of its own.
 *
 * Use: npm run lab -- nightly [--list] [--only NAME]… [--out FOLDER]
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NIGHTLY, type Night } from './nightly.ts';

const ROOT = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
  },
  allowPositionals: true,
});
const unknown = values.only.find(name => !NIGHTLY.some(one => one.name === name));
if (positionals.join() !== 'nightly' || unknown !== undefined) {
  console.error(
    unknown ? `there is no ${unknown}: --list shows the names` : 'use: npm run lab -- nightly [--list]',
  );
  process.exit(2);
}
const chosen = NIGHTLY.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
if (values.list)
  for (const { name, words } of chosen) console.log(`${name.padEnd(20)} npm ${words.join(' ')}`);
else process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'face-sign-in-lab-')));
  mkdirSync(out, { recursive: true });
  console.log(`output: ${out}`);
  let isGood = true;
  for (const one of chosen) {
    const began = performance.now();
    const code = await runOne(one, join(out, `${one.name}.log`));
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    console.log(`${code === 0 ? 'held  ' : `FAILED (${code})`} ${one.name}  ${minutes} min`);
    isGood &&= code === 0;
  }
  return isGood;
}

function runOne({ words }: Night, file: string): Promise<number | null> {
  const log = openSync(file, 'w');
  const child = spawn('npm', words, { cwd: ROOT, stdio: ['ignore', log, log] });
  return new Promise(done => child.on('exit', done));
}
