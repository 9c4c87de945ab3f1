/**
 * Which room of src/ may import which. The detector works on texts, so that imports.test.ts can show it violations that
 * do not exist.
 */
import { posix } from 'node:path';

/** Path below src/ → text. */
export type Sources = ReadonlyMap<string, string>;

interface Room {
  /** Rooms that it may import, besides itself. */
  readonly rooms: readonly string[];
  /** Packages and built-ins that it may import; null: any. */
  readonly outside?: readonly string[];
}

/** A file at the top of src/ is a room of its own, by its name. */
export const ROOMS: Readonly<Record<string, Room>> = {
  brand: { rooms: [], outside: [] },
  'click-guard': { rooms: [], outside: [] },
  slips: { rooms: [], outside: [] },
  assets: {
    rooms: [],
    outside: ['node:fs', 'node:path', 'node:sea', 'node:url', 'node:worker_threads'],
  },
  version: { rooms: ['../package.json'], outside: [] },
  'built-sdk': { rooms: ['assets', 'version'], outside: ['node:crypto'] },
  typed: { rooms: ['assets'], outside: [] },
  plot: { rooms: [], outside: [] },
  protocol: { rooms: [], outside: ['valibot'] },
  encoder: {
    // What a page accepts, which it makes.
    rooms: ['assets', 'sdk'],
    outside: ['node:crypto', 'node:fs', 'node:path', 'node:util', 'node:zlib'],
  },
  ports: { rooms: ['protocol'], outside: [] },
  domain: {
    rooms: ['calibration', 'ports', 'protocol', 'brand'],
    outside: ['jose', 'node:crypto', 'node:timers/promises'],
  },
  calibration: { rooms: ['ports'], outside: [] },
  adapters: { rooms: ['ports', 'protocol', 'brand', 'assets'] },
  http: { rooms: ['domain', 'ports', 'protocol', 'brand', 'version', 'built-sdk'] },
  jobs: { rooms: ['domain', 'ports', 'protocol'] },
  health: {
    rooms: ['jobs', 'domain', 'ports', 'protocol', 'typed', 'version'],
    outside: ['node:timers/promises'],
  },
  operations: {
    rooms: ['health', 'http', 'domain', 'ports', 'protocol', 'brand', 'version'],
    outside: ['valibot'],
  },
  portal: {
    rooms: [
      'operations',
      'health',
      'http',
      'domain',
      'ports',
      'protocol',
      'brand',
      'version',
      'assets',
      'typed',
      'encoder',
      'built-sdk',
      'click-guard',
    ],
  },
  settings: {
    rooms: ['domain', 'slips'],
    // nodemailer's parser of addresses: MAIL_FROM is read as it will be sent.
    outside: [
      'valibot',
      'nodemailer/lib/addressparser',
      'node:fs',
      'node:net',
      'node:os',
      'node:path',
      'node:url',
      'node:util',
    ],
  },
  config: { rooms: ['settings'] },
  service: {
    rooms: [
      'adapters',
      'http',
      'jobs',
      'health',
      'operations',
      'portal',
      'domain',
      'ports',
      'config',
      'settings',
      'brand',
      'version',
      'typed',
    ],
  },
  cli: {
    rooms: [
      'service',
      'operations',
      'jobs',
      'config',
      'settings',
      'domain',
      'protocol',
      'calibration',
      'sdk',
      'encoder',
      'plot',
      'brand',
      'version',
      'assets',
      'typed',
      'built-sdk',
    ],
  },
  main: { rooms: ['cli'], outside: [] },
  build: { rooms: ['cli', 'config', 'sdk', 'service'] },
  executable: { rooms: ['../package.json'] },
  release: { rooms: ['executable', 'sdk', 'version'] },
  sdk: { rooms: ['brand', 'version', 'click-guard', 'slips'] },
};
/**
 * A room inside of another one, by the beginning of its paths. The SQL store knows no engine: it has no files, no threads and
 * no driver, so that what is in it runs on every engine. Of the secrets it may know the maths, not where they are kept.
 * What moves apps, and the engine of a server, know nothing of the one in a file.
 * The portal's web app runs in browsers: it shares only types with the service, and no code of the service is in it.
 */
const INNER: Readonly<
  Record<
    string,
    {
      readonly inside: readonly string[];
      readonly outside?: readonly string[];
      /** Other rooms: only types of them. Left out: those of the room around it. */
      readonly types?: readonly string[];
      /** Whether the room around it may import it. */
      readonly isClosed?: true;
    }
  >
> = {
  'portal/app/': {
    inside: [
      'portal/app/',
      'click-guard.ts',
      'protocol/mode.ts',
      'protocol/portal/paths.ts',
      'protocol/portal/roles.ts',
    ],
    outside: ['preact', 'preact/hooks', '@simplewebauthn/browser'],
    types: ['protocol'],
    isClosed: true,
  },
  'adapters/sql/': {
    inside: ['adapters/sql/', 'adapters/secrets/master.ts', 'adapters/secrets/sealing.ts'],
    outside: ['node:crypto', 'node:timers/promises'],
  },
  'adapters/journal/': { inside: ['journal', 'secrets', 'sql', 'system'].map(name => `adapters/${name}/`) },
  'adapters/postgres/': {
    inside: ['postgres', 'journal', 'secrets', 'sql'].map(name => `adapters/${name}/`),
  },
  'adapters/transfer/': {
    inside: ['transfer', 'journal', 'secrets', 'sql'].map(name => `adapters/${name}/`),
  },
};
/** Rooms of which only types may be imported. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { sdk: ['protocol'] };
/** No room but these touches the network or the machine's time and chance by itself. */
const PURE = ['domain', 'calibration', 'protocol', 'ports'];
const IMPURE =
  /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|randomBytes|randomInt|randomUUID|setInterval)\b/;
/** Rooms that ask the domain's verbs and never the store that these are given: another door would need the same rule again. */
const STORELESS = ['cli/', 'portal/server/'];
const STORE = /\.store\b|[{,]\s*store\s*[,:}]/;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const IMPORT =
  /(?:^|[;\n])\s*(import|export)\s+(type\s+)?(?:[\w*{][^'";]*?\s*from\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|\bstartThread\(\s*['"]src\/([^'"]+)['"]/g;

export function importsOf(file: string, text: string): Import[] {
  return [...bare(text).matchAll(IMPORT)].map(match => {
    // Threads are named by their path in the project.
    const named = match[3] ?? match[4] ?? `./${posix.relative(posix.dirname(file), match[5] as string)}`;
    const to = named.startsWith('.') ? posix.join(posix.dirname(file), named) : named;
    return { from: file, to, isType: match[2] !== undefined };
  });
}

const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
const roomOf = (path: string) =>
  path.startsWith('../') ? path : (path.split('/')[0] as string).replace(/\.ts$/, '');
const isOutside = (sources: Sources, path: string) => !sources.has(path) && !/^\.|\.tsx?$|\.json$/.test(path);

/** One line for each import that goes against the arrows, and for each circle. */
export function violations(sources: Sources): string[] {
  const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));
  const wrong = imports.flatMap(one => {
    const reason = faultOf(sources, one);
    return reason ? [`${one.from} imports ${one.to}: ${reason}`] : [];
  });
  const impure = [...sources]
    .filter(([file, text]) => PURE.includes(roomOf(file)) && IMPURE.test(text))
    .map(([file, text]) => `${file} uses ${IMPURE.exec(text)?.[0]}: time and chance come through the ports`);
  const asking = [...sources]
    .filter(([file, text]) => STORELESS.some(room => file.startsWith(room)) && STORE.test(bare(text)))
    .map(([file]) => `${file} asks the store: what operators do is a verb in domain/operating/`);
  return [...wrong, ...impure, ...asking, ...circles(sources, imports)];
}

function faultOf(sources: Sources, { from, to, isType }: Import): string | null {
  const [room, target] = [roomOf(from), roomOf(to)];
  const rules = ROOMS[room];
  if (!rules) return `no rule says what ${room} may import`;
  const inner = Object.entries(INNER).find(([beginning]) => from.startsWith(beginning));
  if (inner) {
    const [beginning, { inside, outside, types }] = inner;
    if (isOutside(sources, to))
      return !outside || outside.includes(to) ? null : `${beginning} may not import this package`;
    const isInside = inside.some(allowed => to.startsWith(allowed));
    if (target === room && !isInside) return `${beginning} may not import ${to}`;
    if (types && target !== room && !isInside && !(isType && types.includes(target)))
      return `${beginning} may import only types from ${types.join(', ')}`;
  }
  const closed = Object.keys(INNER).find(beginning => INNER[beginning]?.isClosed && to.startsWith(beginning));
  if (closed && !from.startsWith(closed)) return `only ${closed} may import ${to}`;
  if (isOutside(sources, to)) {
    return rules.outside && !rules.outside.includes(to) ? `${room} may not import this package` : null;
  }
  if (!sources.has(to) && !to.startsWith('../')) return 'there is no such file';
  if (target === room || rules.rooms.includes(target)) return null;
  if (TYPES_ONLY[room]?.includes(target))
    return isType ? null : `${room} may import only types from ${target}`;
  return `${room} may not import ${target}`;
}

function circles(sources: Sources, imports: readonly Import[]): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (path.includes(file)) {
      found.push(`a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { from, to } of imports) if (from === file && sources.has(to)) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of sources.keys()) visit(file);
  return found;
}
