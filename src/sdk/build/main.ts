/**
 * Builds the SDK packages into `dist/sdk`, packs them into `dist/sdk/tarballs`, and shows the size of each entry point.
 * Held by test/sdk/browser-package.long.test.ts and test/sdk/tarballs.long.test.ts.
 *
 * Use: node src/sdk/build/main.ts [--out FOLDER]
 */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from './build.ts';
import type { EntrySize, Size } from './bundle.ts';
import { packAll } from './pack.ts';
import { PACKAGES } from './packages.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = values.out ?? join(import.meta.dirname, '../../../dist/sdk');

const built = await Promise.all(PACKAGES.map(of => buildPackage(of, out)));
await packAll(PACKAGES, out);
for (const [at, { folder, sizes }] of built.entries()) {
  const { name, version } = PACKAGES[at] as (typeof PACKAGES)[number];
  console.log(`${name} ${version} → ${relative('', folder)} (minified; gzip)`);
  for (const size of sizes) console.log(`  ${size.name.padEnd(18)}${sizeText(size)}`);
}

function sizeText({ first, later }: EntrySize): string {
  return later ? `${bytes(first)}, and when it is used ${bytes(later)}` : bytes(first);
}

function bytes({ min, gzip }: Size): string {
  const kilo = (count: number) => `${(count / 1_000).toFixed(1)} kB`;
  return `${kilo(min)}; ${kilo(gzip)}`;
}
