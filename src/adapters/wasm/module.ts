/**
 * Loads the built matching core: the build with relaxed SIMD if the engine supports it, otherwise the one without. Both
 * give the same results. There is no fallback without them: an error names the file and the command that builds it.
 * Held by test/matcher/pool.test.ts.
 */
import { readFile } from 'node:fs/promises';
import { readAsset } from '../../assets.ts';

export type Build = 'relaxed' | 'simd';

/** Where `npm run build` puts the builds. */
const BUILT: Readonly<Record<Build, string>> = {
  relaxed: 'dist/core/matcher-relaxed.wasm',
  simd: 'dist/core/matcher.wasm',
};

/** A module with a single relaxed instruction: i8x16.relaxed_swizzle of zeros, dropped. */
const RELAXED_PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02],
  ...[0x01, 0x00, 0x0a, 0x10, 0x01, 0x0e, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x41, 0x00, 0xfd, 0x0f, 0xfd],
  ...[0x80, 0x02, 0x1a, 0x0b],
);

/** The faster build that this engine can run. */
export function bestBuild(): Build {
  return WebAssembly.validate(RELAXED_PROBE) ? 'relaxed' : 'simd';
}

/**
 * @param path a file to load instead of the build
 * @throws Error whose message is one line
 */
export function loadModule(path?: string | URL): Promise<WebAssembly.Module> {
  return path
    ? load(path instanceof URL ? path.pathname : path, () => readFile(path))
    : loadBuild(bestBuild());
}

/** For tests and benchmarks that compare both builds. */
export function loadBuild(build: Build): Promise<WebAssembly.Module> {
  return load(BUILT[build], async () => readAsset(BUILT[build]));
}

async function load(name: string, read: () => Promise<Buffer<ArrayBuffer>>): Promise<WebAssembly.Module> {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = await read();
  } catch (cause) {
    throw new Error(`the matching core ${name} cannot be read: run npm run build`, { cause });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new Error(`the matching core ${name} does not compile: run npm run build`, { cause });
  }
}
