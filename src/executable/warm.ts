/**
 * Starts the bundled program once with a temporary database, and writes V8's code cache to OUT. The cache halves the
 * time of a start. Run by main.ts.
 *
 * Use: node src/executable/warm.ts PROGRAM ADDON OUT
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { ADDON } from './addon.ts';
import { compile } from './program.ts';

const [program = '', addon = '', out = ''] = process.argv.slice(2);
setEnvironmentData(ADDON, addon);
const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-warm-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, {
  DATA_DIR: folder,
  PORT: '0',
  PORTAL_PORT: '0',
  LOG_LEVEL: 'silent',
  DEMO: 'on',
});
process.argv = [process.argv0, program, 'serve'];

// Runs under the path of its source, because it reads the files there.
const { run, compiled } = compile(readFileSync(program, 'utf8'), join(import.meta.dirname, '../main.js'));
const print = process.stderr.write.bind(process.stderr);
process.stderr.write = ((text: string) => {
  if (!text.includes('is ready')) return print(text);
  writeFileSync(out, compiled());
  process.kill(process.pid, 'SIGTERM');
  return true;
}) as typeof process.stderr.write;
run();
