/** All answers of the internal API: a schema by its name in the description, and its type for pages. */
import type { InferOutput } from 'valibot';
import * as apps from './answers/apps.ts';
import * as installation from './answers/installation.ts';
import * as numbers from './answers/numbers.ts';
import * as operators from './answers/operators.ts';
import * as people from './answers/people.ts';
import * as teams from './answers/teams.ts';
import * as webhooks from './answers/webhooks.ts';

export const ANSWERS = {
  ...operators,
  ...teams,
  ...apps,
  ...people,
  ...numbers,
  ...installation,
  ...webhooks,
};
export type Answer<Name extends keyof typeof ANSWERS> = InferOutput<(typeof ANSWERS)[Name]>;
