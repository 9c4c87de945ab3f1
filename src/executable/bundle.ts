/**
 * Bundles the JavaScript of the executable with esbuild: one script each for the program, its threads and its entry.
 * Fails if an import would be left out. Held by test/dist.
 */
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { Engine } from './engine.ts';

/** Scope of the scripts other than the program, which gets the same names from program.ts. */
const SCOPE = `const bundleFile = process.execPath,
  bundleFolder = require('node:path').dirname(bundleFile),
  bundleUrl = require('node:url').pathToFileURL(bundleFile).href;`;
/** Imports that packages can do without. The first is esbuild's own. */
const OPTIONAL = ['<runtime>', 'supports-color', 'pg-native', 'pg-cloudflare'];
const LOADER = join(import.meta.dirname, 'addon.ts');
const { resolve } = createRequire(import.meta.url);

export const PROGRAM = 'src/main.ts';

/**
 * @param scripts entry in the project → file to write
 * @returns the inputs of each script
 */
export async function bundle(
  root: string,
  platform: string,
  engine: Engine,
  scripts: ReadonlyMap<string, string>,
): Promise<Metafile[]> {
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: `node${process.versions.node}`,
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    define: {
      ADDON_SHA256: JSON.stringify(engine.sha256),
      ADDON_GLIBC: JSON.stringify(engine.glibc),
      __filename: 'bundleFile',
      __dirname: 'bundleFolder',
      'import.meta.dirname': 'bundleFolder',
      'import.meta.url': 'bundleUrl',
    },
    plugins: [packedAddon(platform)],
  } as const satisfies BuildOptions;
  return Promise.all(
    [...scripts].map(async ([entry, outfile]) => {
      const banner = entry === PROGRAM ? {} : { js: SCOPE };
      const { metafile } = await build({ ...options, banner, entryPoints: [join(root, entry)], outfile });
      refuseLeftOut(metafile);
      return metafile;
    }),
  );
}

/** @throws Error that names the import and the file */
function refuseLeftOut({ inputs }: Metafile): void {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, external } of imports)
      if (external && !isBuiltin(path) && !OPTIONAL.includes(path))
        throw new Error(`${file} imports ${path}, which is not bundled`);
}

/** Resolves better-sqlite3 to its entry for one platform, and that entry's addon to the loader. */
function packedAddon(platform: string): Plugin {
  return {
    name: 'packed-addon',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: resolve(`better-sqlite3/${platform}`) }));
      onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, namespace: 'addon' }));
      onLoad({ filter: /./, namespace: 'addon' }, () => ({
        contents: `module.exports = require(${JSON.stringify(LOADER)}).loadAddon();`,
        resolveDir: import.meta.dirname,
      }));
    },
  };
}
