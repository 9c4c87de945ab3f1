/**
 * `sdk`: writes the SDK packages that belong to this version, because they are in no registry. Held by
 * test/cli/sdk.test.ts, and on the executable by test/dist/sdk.long.test.ts.
 */
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { hasAsset, IS_PACKED, readAsset } from '../../assets.ts';
import { integrityOf, SCRIPT, SCRIPT_FILE, scriptTag, sdkPath } from '../../built-sdk.ts';
import { contentOf, place } from '../../encoder/place.ts';
import { sha256 } from '../../encoder/source.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import { PACKAGES, tarballOf } from '../../sdk/build/packages.ts';
import { inWords } from '../../settings/folder.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed, WrongUsage } from '../command.ts';

const TARBALLS = 'dist/sdk/tarballs';

/** Who installs which packages. npm also installs peers, so only pages with React get the package that needs it. */
const SIDES = {
  page: PACKAGES.filter(each => each.platform === 'browser' && !each.peers),
  react: PACKAGES.filter(each => each.platform === 'browser'),
  server: PACKAGES.filter(each => each.platform === 'node'),
};

export const SDK: Command = {
  name: 'sdk',
  usage: 'DIR [--force]',
  about: `Writes the SDK packages of this version (${PACKAGES.map(({ name }) => name).join(', ')}) as tarballs, and ${SCRIPT} for pages without a bundler. Install the tarballs with npm: the packages are not in its registry. Needs no database and no network.`,
  words: ['DIR'],
  options: {
    force: { type: 'boolean', meaning: 'Replace files of the same names that have other contents.' },
  },
  examples: ['sdk sdk', 'sdk vendor/face-sign-in --force --json'],
  run: async ({ words: [dir = ''], options, usage }) => {
    if (dir === '') throw new WrongUsage(`DIR is empty: name a folder; use: ${usage}`);
    const contents = builtFiles();
    const script = contents.get(SCRIPT) as Buffer;
    const files = write(resolve(dir), contents, options.force === true);
    const install = {
      page: npmInstall(dir, 'page'),
      react: npmInstall(dir, 'react'),
      server: npmInstall(dir, 'server'),
    };
    const integrity = integrityOf(script);
    return {
      json: {
        version: VERSION,
        files: files.map(({ file, bytes, sha256: hash }) => ({ file, bytes, sha256: hash })),
        install,
        script: { path: sdkPath(SCRIPT), integrity },
      },
      text: [
        ...files.map(lineOf),
        '',
        'In the project of your page:',
        `  ${install.page}`,
        'If your page uses React or Next.js:',
        `  ${install.react}`,
        'In the project of your server:',
        `  ${install.server}`,
        'In a page without a bundler, with the address of your service for BASE_URL:',
        `  ${scriptTag('BASE_URL', integrity)}`,
      ].join('\n'),
    };
  },
};

/** @throws CommandFailed if this runs from a source that was not built */
function builtFiles(): Map<string, Buffer> {
  const places = [
    ...PACKAGES.map(tarballOf).map((name): [string, string] => [name, `${TARBALLS}/${name}`]),
    [SCRIPT, SCRIPT_FILE] as const,
  ];
  const missing = places.find(([, path]) => !hasAsset(path));
  if (missing)
    throw new CommandFailed(
      `${missing[1]} is missing: ${IS_PACKED ? 'this executable was built without it' : 'run "npm run build:sdk"'}`,
    );
  return new Map(places.map(([name, path]) => [name, readAsset(path)]));
}

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** False: it was there already. */
  readonly isNew: boolean;
}

const lineOf = ({ file, bytes, sha256: hash, isNew }: Written) =>
  `${file}: ${sizeOf(bytes)}, SHA-256 ${hash}${isNew ? '' : ' (already there, unchanged)'}`;

/** Looks at every file before it writes one. @throws CommandFailed naming DIR */
function write(folder: string, contents: ReadonlyMap<string, Buffer>, force: boolean): Written[] {
  try {
    const others = [...contents].filter(([name, content]) => {
      const found = contentOf(join(folder, name));
      return found !== null && !found.equals(content);
    });
    if (others.length > 0 && !force)
      throw new CommandFailed(
        `DIR ${folder} has other contents in ${others.map(([name]) => name).join(', ')}: name another folder, or add --force to replace them`,
      );
    return [...contents].map(([name, content]) => {
      const file = join(folder, name);
      return { file, bytes: content.length, sha256: sha256(content), isNew: place(file, content) };
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandFailed(`DIR ${folder} cannot be written: ${inWords(error)}`);
  }
}

/** All packages of one side in one command: npm then takes what they need of each other from there. */
function npmInstall(dir: string, side: keyof typeof SIDES): string {
  const folder = isAbsolute(dir) ? normalize(dir) : `./${normalize(dir)}`.replace(/^\.\/(?=\.\.?(\/|$))/, '');
  return `npm install ${SIDES[side]
    .map(tarballOf)
    .map(name => quoted(folder.replace(/\/*$/, `/${name}`)))
    .join(' ')}`;
}

/** For a shell. */
const quoted = (path: string) =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
