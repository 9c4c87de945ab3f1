/**
 * What a page with the MobileFaceNet encoder loads besides the SDK: face-api with its two models, the WebAssembly
 * files, and the weights. Taken from the packages of the page's project, because this service contains none of them.
 * Held by test/cli/sdk.test.ts and test/browser/readme.test.ts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf } from './place.ts';
import { SOURCE } from './published.ts';
import { readSource } from './source.ts';

const MODULES = 'node_modules';
const PACKAGES = [
  {
    name: '@vladmandic/face-api',
    install: '@vladmandic/face-api@1.7.15',
    files: [
      { folder: 'dist', names: 'face-api.esm.js', to: '' },
      { folder: 'model', names: 'tiny_face_detector_model*', to: 'model' },
      { folder: 'model', names: 'face_landmark_68_model*', to: 'model' },
    ],
  },
  {
    name: '@tensorflow/tfjs-backend-wasm',
    install: '@tensorflow/tfjs-backend-wasm@4.22.0',
    files: [{ folder: 'dist', names: '*.wasm', to: 'wasm' }],
  },
] as const;

/** The message is one line and says what to install. */
export class MissingPackages extends Error {}

/** @returns contents by path in the site's folder. @throws MissingPackages, or a system error */
export function pageAssets(project: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const missing: string[] = [];
  for (const { name, install, files } of PACKAGES) {
    for (const { folder, names, to } of files) {
      const from = join(project, MODULES, name, folder);
      const present = globSync(names, { cwd: from });
      if (present.length === 0 && !missing.includes(install)) missing.push(install);
      for (const each of present) found.set(join(to, each), readFileSync(join(from, each)));
    }
  }
  if (missing.length === 0) return found;
  throw new MissingPackages(
    `${join(project, MODULES)} lacks files of these packages: run "npm install ${missing.join(' ')}"`,
  );
}

/** The published model, from its tarball or package in the project. Null: neither is there. @throws WrongSource */
export function publishedModel(project: string): Buffer | null {
  const places = [SOURCE.tarball, join(MODULES, SOURCE.package.replace(/@[^@]*$/, ''), SOURCE.path)];
  const place = places.map(each => join(project, each)).find(each => contentOf(each) !== null);
  return place === undefined ? null : readSource(place);
}
