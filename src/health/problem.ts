/** Problems of the service, as operators see them. src/portal/README.md says when each is reported. */
export const PROBLEMS = [
  'draining',
  'database',
  'disk',
  'matcher',
  'galleries',
  'unsafe-app',
  'outgrown',
  'threshold',
  'jobs',
  'mail',
  'signing-key',
  'unreadable',
  'erasures',
  'clock',
  'settings',
  'plan',
  'failed-faces',
  'look-alikes',
] as const;
type ProblemName = (typeof PROBLEMS)[number];

export const MOST_NAMED = 3;
/** `a, b, c and 2 more`. */
export const named = (all: readonly string[]): string =>
  all.slice(0, MOST_NAMED).join(', ') +
  (all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '');

export interface Problem {
  readonly name: ProblemName;
  readonly since: number | null;
  /** What is wrong. */
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}
