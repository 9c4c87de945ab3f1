/**
 * Builds one package, ready for `npm pack`: modules, types, script, manifest, pages and licence. Held by
 * test/sdk/browser-package.long.test.ts.
 */
import { globSync } from 'node:fs';
import { chmod, copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleModules, bundleScript, type EntrySize } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { builtName, type Entry, type SdkPackage } from './packages.ts';
import { wholeFolder } from './whole-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface Built {
  readonly folder: string;
  readonly sizes: readonly EntrySize[];
}

/**
 * @param out the folder in which the package's folder is created
 * @throws Error if a source does not exist or does not compile, or if an import is not declared
 */
export async function buildPackage(of: SdkPackage, out: string): Promise<Built> {
  const source = join(ROOT, 'src/sdk', of.folder);
  const folder = join(out, of.folder);
  return wholeFolder(folder, async draft => {
    const files = of.entries.map(entry => join(source, entry.source));
    const project = { root: ROOT, files, ambientTypes: of.ambientTypes };
    const [, sizes, script] = await Promise.all([
      writeDeclarations(project, join(draft, 'types')),
      bundleModules(of, source, draft),
      of.script ? bundleScript(of, of.script, source, draft) : null,
      copyFile(join(ROOT, 'LICENSE'), join(draft, 'LICENSE')),
      ...globSync('*.md', { cwd: source }).map(page => copyFile(join(source, page), join(draft, page))),
    ]);
    // After the bundles: esbuild reads the manifest of the folder it works in, and would meet one half written.
    await writeFile(join(draft, 'package.json'), `${JSON.stringify(await manifest(of), null, 2)}\n`);
    await makeReadable(draft);
    return { folder, sizes: script ? [...sizes, script] : sizes };
  });
}

/** Whatever the umask of who builds: `npm pack` keeps these modes, and web servers have to read the files. */
async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

async function manifest(of: SdkPackage) {
  const { dependencies: pinned } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const types = (entry: Entry) => `./types/sdk/${of.folder}/${entry.source.replace(/\.ts$/, '.d.ts')}`;
  const modules = of.entries.map(entry => [
    entry.path,
    { types: types(entry), default: `./${builtName(entry)}.js` },
  ]);
  const acting = of.entries.filter(entry => entry.acts).map(entry => `./${builtName(entry)}.js`);
  if (of.script) acting.push(`./${of.script.file}`);
  const peers = { ...of.peers, ...of.optionalPeers };
  const optional = Object.keys(of.optionalPeers);
  return {
    name: of.name,
    version: of.version,
    description: of.description,
    keywords: of.keywords,
    license: 'MIT',
    type: 'module',
    ...(of.node && { engines: { node: of.node } }),
    exports: {
      ...Object.fromEntries(modules),
      ...(of.script && { [`./${of.script.file}`]: `./${of.script.file}` }),
      './package.json': './package.json',
    },
    ...(of.script && { unpkg: `./${of.script.file}`, jsdelivr: `./${of.script.file}` }),
    sideEffects: acting.length > 0 ? acting : false,
    ...(of.dependencies.length > 0 && {
      dependencies: Object.fromEntries(of.dependencies.map(name => [name, `^${pinned[name]}`])),
    }),
    ...(Object.keys(peers).length > 0 && { peerDependencies: peers }),
    ...(optional.length > 0 && {
      peerDependenciesMeta: Object.fromEntries(optional.map(name => [name, { optional: true }])),
    }),
  };
}
