/**
 * Builds the portal's pages into dist/portal: index.html, app.css, app.js, chunks that are loaded when they are needed,
 * snippets.js and click-guard.js for the page /try, and calibrate.js, the worker of the page about faces. Says how
 * large it is. Held by test/build/portal.test.ts.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { wholeFolder } from '../sdk/build/whole-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'src/portal/app');
const OUT = join(ROOT, 'dist/portal');

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'browser',
  target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions;

const built = await wholeFolder(OUT, async draft => {
  const app = await build({
    ...COMMON,
    entryPoints: [
      { in: join(SOURCE, 'main.tsx'), out: 'app' },
      { in: join(SOURCE, 'css/app.css'), out: 'app' },
      // The page /try shows the same code as the quick start.
      { in: join(SOURCE, 'pages/snippets.ts'), out: 'snippets' },
      { in: join(ROOT, 'src/click-guard.ts'), out: 'click-guard' },
    ],
    outdir: draft,
    format: 'esm',
    splitting: true,
    // Entries are asked for each time, chunks are kept forever.
    chunkNames: 'chunks/[name]-[hash]',
  });
  const worker = await build({
    ...COMMON,
    entryPoints: [join(ROOT, 'src/cli/calibrate/worker.ts')],
    outfile: join(draft, 'calibrate.js'),
    format: 'iife',
    alias: { 'node:util': join(ROOT, 'src/cli/calibrate/no-terminal.ts') },
  });
  const metafile: Metafile = {
    inputs: { ...app.metafile.inputs, ...worker.metafile.inputs },
    outputs: { ...app.metafile.outputs, ...worker.metafile.outputs },
  };
  for (const file of ['index.html', 'icon.svg']) cpSync(join(SOURCE, file), join(draft, file));
  // Whose licences the executable must carry.
  writeFileSync(join(draft, 'metafile.json'), JSON.stringify(metafile));
  return metafile;
});
console.error(`portal: ${sizes(built)}`);

function sizes({ outputs }: Metafile): string {
  const names = Object.keys(outputs).map(path => path.slice(path.indexOf('/', 'dist/'.length) + 1));
  const gzip = (of: readonly string[]) =>
    of.reduce((sum, name) => sum + gzipSync(readFileSync(join(OUT, name))).length, 0);
  const kB = (end: string) => `${(gzip(names.filter(name => name.endsWith(end))) / 1_000).toFixed(1)} kB`;
  return `${kB('.js')} of scripts, ${kB('.css')} of styles (gzip)`;
}
