/**
 * The trials and options of `npm run bench`, as data. Nothing heavy is imported before a trial is chosen, so that help
 * comes at once. Held by test/bench/command-line.test.ts.
 */
import type { Row } from './table.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  /** For help: what follows the option. */
  readonly value?: string;
  readonly multiple?: true;
  readonly meaning: string;
}
export type Options = Readonly<Record<string, Option>>;

export interface Trial {
  readonly about: string;
  readonly options: Options;
}

const flag = (meaning: string): Option => ({ type: 'boolean', meaning });
const text = (value: string, meaning: string): Option => ({ type: 'string', value, meaning });

export const COMMON: Options = {
  json: text('FILE', 'write the rows to this file'),
  publish: flag('rewrite the tables in bench/results/'),
  help: flag('show this'),
};

export const DEFAULT_TRIAL = 'search';

export const TRIALS = {
  search: {
    about: 'the default: the core and other engines, 10,000 to 1,000,000 templates; half an hour',
    options: {
      quick: flag('up to 100,000 templates, fewer settings; under 3 minutes'),
      plots: text('DIR', 'write the plots of this run to this folder'),
      engine: { ...text('FILE', 'also measure your own engine; may be repeated'), multiple: true },
      file: text('FILE', 'measure on your own vectors: faces.jsonl or vectors.fvecs'),
      sizes: text('N,N', 'only these sizes of galleries'),
      data: text('A,B', 'only these data sets'),
      engines: text('A,B', 'only these engines, and your own'),
      check: flag('fail if the core became slower than bench/accepted.json says'),
      accept: flag('write the figures of this run to bench/accepted.json'),
    },
  },
  calls: { about: 'cost of one search through the worker; pin it with taskset -c 0', options: {} },
  exact: { about: '100,000 queries of both builds against the reference; about 4 minutes', options: {} },
  loading: {
    about: 'a million templates from the database into the matcher',
    options: { count: text('N', 'so many templates') },
  },
  service: {
    about: 'sign-ins per second beside a bare Koa server; Linux, two cores',
    options: {
      sizes: text('N,N', 'sizes of galleries'),
      rounds: text('N', 'rounds of the closed loop'),
      seconds: text('N', 'length of a round'),
      cores: text('LIST', 'cores of the servers, as taskset takes them'),
    },
  },
  nodes: { about: 'one node on PostgreSQL beside SQLite; needs Debian’s postgresql; 4 minutes', options: {} },
  events: {
    about: 'what webhooks cost sign-ins, and how late they are; Linux, two cores; 8 minutes',
    options: { parts: text('A,B', 'only some of cost, rate, dead') },
  },
  capacity: {
    about: 'what the executable needs for how many templates; under 2 minutes',
    options: { sizes: text('N,N', 'sizes of galleries') },
  },
  portal: { about: 'the portal with 100,000 users and 1.2 million events; needs Chromium', options: {} },
  enumeration: {
    about: 'do response times reveal registered addresses? about 4 minutes',
    options: {},
  },
  encoder: {
    about: 'how well encoders tell people apart; needs Chromium',
    options: {
      photos: text('DIR', 'your own photos: one folder per person'),
      weights: text('FILE', 'the published weights of MobileFaceNet'),
      onnx: text('FILE', 'also measure this ONNX model'),
      'onnx-options': text('JSON', 'what the model expects: size, points, layout, mean, std, colours'),
      'any-quality': flag('also count photos that the SDK would not send'),
    },
  },
} as const satisfies Readonly<Record<string, Trial>>;

export type TrialName = keyof typeof TRIALS;
export const NAMES = Object.keys(TRIALS) as TrialName[];

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export const listOf = (value: Values[string]): string[] | undefined =>
  typeof value === 'string' ? value.split(',').filter(part => part !== '') : undefined;
const numbersOf = (value: Values[string]) => listOf(value)?.map(Number);

/** The trials that return rows, which all have the same columns. */
export const PLAIN: Readonly<
  Record<Exclude<TrialName, 'search' | 'encoder'>, (values: Values) => Promise<Row[]>>
> = {
  calls: async () => (await import('./calls.ts')).calls(),
  exact: async () => (await import('./exact.ts')).exact(),
  loading: async ({ count }) => (await import('./loading.ts')).loading(Number(count ?? 1_000_000)),
  service: async ({ sizes, rounds = 5, seconds = 5, cores }) =>
    (await import('./service/trial.ts')).service(
      { rounds: Number(rounds), seconds: Number(seconds) },
      numbersOf(sizes),
      cores?.toString(),
    ),
  nodes: async () => (await import('./nodes/trial.ts')).nodes(),
  events: async ({ parts }) => (await import('./events/trial.ts')).events(listOf(parts)),
  capacity: async ({ sizes }) => (await import('./service/capacity.ts')).capacity(numbersOf(sizes)),
  portal: async () => (await import('./portal/trial.ts')).portal(),
  enumeration: async () => (await import('./enumeration/trial.ts')).enumeration(),
};
