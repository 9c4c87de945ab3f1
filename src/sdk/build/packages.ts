/**
 * The published packages: names, entry points and dependencies. A new entry point is a new line here. Held by
 * test/sdk/browser-package.long.test.ts.
 */
import { VERSION } from '../../version.ts';

export interface SdkPackage {
  /** The folder in `src/sdk`, and in `dist/sdk` after the build. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly platform: 'browser' | 'node';
  /** The oldest supported engines, in esbuild's format. */
  readonly target: readonly string[];
  /** Supported Node.js versions, if it runs on Node.js. */
  readonly node?: string;
  /** Packages whose ambient types its declarations may use. */
  readonly ambientTypes: readonly string[];
  readonly entries: readonly Entry[];
  readonly script?: Script;
  /** Its dependencies. Their version range comes from the version that the project itself pins. */
  readonly dependencies: readonly string[];
  /** Required peer dependencies, with their ranges. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Optional peer dependencies of single entries, with their ranges. */
  readonly optionalPeers: Readonly<Record<string, string>>;
}

export interface Entry {
  /** The import path: `.` or `./name`. */
  readonly path: string;
  /** The source file, relative to the package's source folder. */
  readonly source: string;
  /** Whether importing it has side effects, so that bundlers must not drop it. */
  readonly acts?: boolean;
}

/** A single file for `<script src>`. */
export interface Script {
  readonly file: string;
  /** The global variable with the exports of these sources. */
  readonly global: string;
  readonly sources: readonly string[];
}

export const PACKAGES: readonly SdkPackage[] = [
  {
    folder: 'browser',
    name: '@face-sign-in/browser',
    version: VERSION,
    description:
      'Sign people in with their face: the page’s side of face-sign-in. No picture leaves the device.',
    keywords: ['authentication', 'biometrics', 'face', 'passwordless', 'sign-in'],
    platform: 'browser',
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    ambientTypes: [],
    entries: [
      { path: '.', source: 'index.ts' },
      { path: './testing', source: 'testing.ts' },
      { path: './mobilefacenet', source: 'encoders/mobilefacenet.ts' },
      { path: './face-api', source: 'encoders/face-api.ts' },
      { path: './onnx', source: 'encoders/onnx.ts' },
      { path: './element', source: 'element/index.ts', acts: true },
    ],
    script: {
      file: 'face-sign-in.js',
      global: 'FaceSignIn',
      sources: [
        'index.ts',
        'element/index.ts',
        'encoders/mobilefacenet.ts',
        'encoders/face-api.ts',
        'encoders/onnx.ts',
      ],
    },
    dependencies: [],
    optionalPeers: { '@vladmandic/face-api': '^1.7.0', 'onnxruntime-web': '^1.17.0' },
  },
  {
    folder: 'server',
    name: '@face-sign-in/server',
    version: VERSION,
    description: 'Verify who signed in with their face: the server’s side of face-sign-in.',
    keywords: ['authentication', 'face', 'jwt', 'sign-in', 'verification'],
    platform: 'node',
    target: ['node20'],
    node: '>=20',
    ambientTypes: ['node'],
    entries: [
      { path: '.', source: 'index.ts' },
      { path: './koa', source: 'koa.ts' },
      { path: './express', source: 'express.ts' },
      { path: './fastify', source: 'fastify.ts' },
      { path: './web', source: 'web.ts' },
    ],
    dependencies: ['jose'],
    optionalPeers: {},
  },
  {
    folder: 'react',
    name: '@face-sign-in/react',
    version: VERSION,
    description: 'Sign people in with their face: the component <FaceSignIn> for React 19 and Next.js.',
    keywords: ['authentication', 'face', 'nextjs', 'passwordless', 'react', 'sign-in'],
    platform: 'browser',
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    ambientTypes: [],
    entries: [{ path: '.', source: 'index.ts' }],
    dependencies: [],
    peers: { '@face-sign-in/browser': `^${VERSION}`, react: '^19.0.0' },
    optionalPeers: { '@types/react': '^19.0.0' },
  },
];

/** As `npm pack` calls it: `face-sign-in-browser-1.0.0.tgz`. */
export const tarballOf = ({ name, version }: Pick<SdkPackage, 'name' | 'version'>) =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** The file name in the built package, without extension: `index` for `.`, `name` for `./name`. */
export const builtName = ({ path }: Entry) => (path === '.' ? 'index' : path.slice(2));
