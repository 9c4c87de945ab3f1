/**
 * The browser SDK as it was built, for pages without a bundler: its files, where the API serves them, and the hash of
 * the script. Held by test/http/sdk-files.test.ts.
 */
import { createHash } from 'node:crypto';
import { assetsIn, hasAsset, readAsset } from './assets.ts';
import { VERSION } from './version.ts';

const FOLDER = 'dist/sdk/browser';
export const SCRIPT = 'face-sign-in.js';
export const SCRIPT_FILE = `${FOLDER}/${SCRIPT}`;

/** The path of a file on the API's address: `chunks/x.js` has its own, too. */
export const sdkPath = (name: string) => `/sdk/browser/${VERSION}/${name}`;

/** Script and modules by their path. Empty if the SDK was not built. Do not write to the buffers. */
export function servedFiles(): ReadonlyMap<string, Buffer> {
  const scripts = (folder: string) => assetsIn(folder).filter(name => name.endsWith('.js'));
  const names = [...scripts(FOLDER), ...scripts(`${FOLDER}/chunks`).map(name => `chunks/${name}`)];
  return new Map(names.map(name => [sdkPath(name), readAsset(`${FOLDER}/${name}`)]));
}

/** The script's hash for the attribute `integrity`. Null if the SDK was not built. */
export function scriptIntegrity(): string | null {
  return hasAsset(SCRIPT_FILE) ? integrityOf(readAsset(SCRIPT_FILE)) : null;
}

export const integrityOf = (content: Uint8Array) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`;

/** The tag that loads the script from a service. */
export const scriptTag = (baseUrl: string, integrity: string) =>
  `<script src="${baseUrl}${sdkPath(SCRIPT)}" integrity="${integrity}" crossorigin="anonymous"></script>`;
