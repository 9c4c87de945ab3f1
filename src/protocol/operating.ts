/**
 * What operators see of apps, keys, users, events and counts. The command line prints these fields with --json, and no
 * others. Held by test/protocol/operating-views.test.ts.
 */
export * from './operating/apps.ts';
export * from './operating/events.ts';
export * from './operating/jobs.ts';
export * from './operating/keys.ts';
export * from './operating/numbers.ts';
export * from './operating/operators.ts';
export * from './operating/people.ts';
