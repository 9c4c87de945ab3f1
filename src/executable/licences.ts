/**
 * Collects the licences of everything in the executable: the project's own, that of Node.js and its parts, and that of
 * each package. Fails if one is missing. Held by test/dist/run.long.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** swagger-ui-bundle.js contains packages of others. */
const LICENCE = /^(?:licen[cs]e|copying|notice|swagger-ui-bundle\.js\.license)(?:[.-].*)?$/i;
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * @param files everything that is packed or was bundled
 * @param runtime folder of the Node.js package
 * @throws Error that names a package without a licence
 */
export function licencesOf(root: string, files: readonly string[], runtime: string): string {
  const folders = new Set(files.flatMap(file => PACKAGE.exec(file)?.[1] ?? []));
  const packages = [...folders].sort().map(folder => notice(join(root, folder)));
  return [notice(root), ...packages, notice(runtime)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function notice(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter(file => LICENCE.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && !license) throw new Error(`there is no licence in ${folder}`);
  const by = author?.name ?? author ?? 'its contributors';
  const body = texts.length > 0 ? texts.join('\n\n') : `By ${by}; the package contains no licence text.`;
  return `${name} ${version} (${license})\n\n${body}`;
}
