/**
 * The packages that are published, as data: what they are called, which files one can import from them, what they need. One
 * more entry is one more line here. Held by test/sdk/browser-package.long.test.ts.
 */
export interface SdkPackage {
  /** Folder below `src/sdk`, and below `dist/sdk` for what is built. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly platform: 'browser' | 'node';
  /** Oldest engines that it runs on, as esbuild spells them. */
  readonly target: readonly string[];
  /** Node.js versions, where it runs on Node.js. */
  readonly node?: string;
  /** Packages of ambient types that its declarations may use. */
  readonly ambientTypes: readonly string[];
  readonly entries: readonly Entry[];
  readonly script?: Script;
  /** Packages that it needs: in the range of the version that the project itself is pinned to. */
  readonly dependencies: readonly string[];
  /** Packages that some of its entries work with, and their ranges. None has to be installed. */
  readonly optionalPeers: Readonly<Record<string, string>>;
}

export interface Entry {
  /** As it is imported: `.` or `./name`. */
  readonly path: string;
  /** Below the folder of the package's source. */
  readonly source: string;
  /** Whether to import it does something by itself, so that bundlers must not drop it. */
  readonly acts?: boolean;
}

/** One file for `<script src>`. */
export interface Script {
  readonly file: string;
  /** The global variable that holds what these sources export. */
  readonly global: string;
  readonly sources: readonly string[];
}

const VERSION = '4.4.0';

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
];

/** Without extension, below the folder of the built package: `index` for `.`, `name` for `./name`. */
export const builtName = ({ path }: Entry) => (path === '.' ? 'index' : path.slice(2));
