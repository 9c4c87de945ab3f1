/**
 * What operators are shown of apps, keys, people, events and numbers: the command line prints it with --json, and the
 * portal answers with the same. A field that is not here is never shown. test/protocol/operating-views.test.ts holds the fields.
 */
export * from './operating/apps.ts';
export * from './operating/events.ts';
export * from './operating/jobs.ts';
export * from './operating/keys.ts';
export * from './operating/numbers.ts';
export * from './operating/people.ts';
