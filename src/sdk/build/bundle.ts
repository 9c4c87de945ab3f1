/**
 * Bundles the JavaScript of a package with esbuild: ES modules that share code and lazy-load parts, and one minified
 * script. Refuses imports that the package does not declare. Held by test/sdk/browser-package.long.test.ts.
 */
import { writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { builtName, type Entry, type Script, type SdkPackage } from './packages.ts';

/** Minified size in bytes, and the gzipped size of that. */
export interface Size {
  readonly min: number;
  readonly gzip: number;
}
export interface EntrySize {
  readonly name: string;
  /** What an import loads. */
  readonly first: Size;
  /** What it loads later, on first use; null if nothing. */
  readonly later: Size | null;
}

/** Writes the modules of all entries into `out`, and returns their sizes. */
export async function bundleModules(of: SdkPackage, source: string, out: string): Promise<EntrySize[]> {
  const options = {
    ...common(of),
    entryPoints: of.entries.map(entry => ({ in: join(source, entry.source), out: builtName(entry) })),
    outdir: out,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  } as const satisfies BuildOptions;
  const { metafile } = await build({ ...options, metafile: true });
  refuseUndeclared(of, metafile);
  const { outputFiles, metafile: min } = await build({
    ...options,
    metafile: true,
    minify: true,
    // Bundlers of applications drop it.
    banner: {},
    write: false,
    absWorkingDir: out,
  });
  return of.entries.map(entry => sizeOf(entry, outputFiles, min.outputs, out));
}

/** Writes the script into `out`, and returns its size. */
export async function bundleScript(
  of: SdkPackage,
  script: Script,
  source: string,
  out: string,
): Promise<EntrySize> {
  const exported = script.sources.map(file => `export * from ${JSON.stringify(`./${file}`)};`).join('\n');
  const { outputFiles } = await build({
    ...common(of),
    stdin: { contents: exported, resolveDir: source },
    outfile: join(out, script.file),
    format: 'iife',
    globalName: script.global,
    minify: true,
    write: false,
  });
  const code = outputFiles.map(file => file.contents);
  await writeFile(join(out, script.file), code[0] ?? '');
  return { name: script.file, first: measured(code), later: null };
}

const common = ({ platform, target, name, version, peers = {} }: SdkPackage) =>
  ({
    bundle: true,
    packages: 'external',
    // By name too: tsconfig.json maps one package to its source, for the types.
    external: Object.keys(peers).flatMap(peer => [peer, `${peer}/*`]),
    platform,
    target: [...target],
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: `/* ${name} ${version}, MIT licence */` },
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

/** @throws Error that names the import and the file */
function refuseUndeclared(of: SdkPackage, { inputs }: Metafile) {
  const { name, platform, dependencies, peers, optionalPeers } = of;
  const declared = new Set([...dependencies, ...Object.keys({ ...peers, ...optionalPeers })]);
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, external } of imports) {
      if (!external || (platform === 'node' && isBuiltin(path))) continue;
      const packageName = path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/');
      if (!declared.has(packageName))
        throw new Error(`${name}: ${file} imports ${path}, which src/sdk/build/packages.ts does not declare`);
    }
}

function sizeOf(
  entry: Entry,
  files: readonly OutputFile[],
  outputs: Metafile['outputs'],
  out: string,
): EntrySize {
  const closure = (from: readonly string[], kinds: readonly string[], seen = new Set<string>()) => {
    for (const path of from) {
      if (seen.has(path) || !outputs[path]) continue;
      seen.add(path);
      const next = outputs[path].imports.filter(({ kind, external }) => !external && kinds.includes(kind));
      closure(
        next.map(one => one.path),
        kinds,
        seen,
      );
    }
    return seen;
  };
  const main = `${builtName(entry)}.js`;
  const first = closure([main], ['import-statement']);
  const all = closure([main], ['import-statement', 'dynamic-import']);
  const code = (names: Iterable<string>) =>
    [...names].map(name => files.find(file => file.path === join(out, name))?.contents ?? new Uint8Array());
  const later = [...all].filter(name => !first.has(name));
  return {
    name: entry.path,
    first: measured(code(first)),
    later: later.length > 0 ? measured(code(later)) : null,
  };
}

function measured(files: readonly Uint8Array[]): Size {
  const sum = (size: (file: Uint8Array) => number) => files.reduce((total, file) => total + size(file), 0);
  return { min: sum(file => file.length), gzip: sum(file => gzipSync(file, { level: 9 }).length) };
}
