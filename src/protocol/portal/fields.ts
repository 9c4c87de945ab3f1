/** Fields that bodies of the internal API share. A message names the rule, never the value. */
import * as v from 'valibot';
import { text } from '../fields.ts';
import { DECEPTIVE, DECEPTIVE_RULE } from '../unseen.ts';
import { ROLES } from './roles.ts';

const NAME_LENGTH = 100;

export const name = v.pipe(
  text,
  v.check(value => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates'),
  v.trim(),
  v.check(
    value => value !== '' && [...value].length <= NAME_LENGTH,
    `must have 1 to ${NAME_LENGTH} characters`,
  ),
  v.check(value => !DECEPTIVE.test(value), DECEPTIVE_RULE),
  v.metadata({
    description: 'A name. Surrounding white space is removed.',
    minLength: 1,
    maxLength: NAME_LENGTH,
    examples: ['Shop'],
  }),
);

export const label = v.pipe(
  name,
  v.metadata({ description: 'What you call it. Surrounding white space is removed.', examples: ['Laptop'] }),
);

export const role = v.pipe(
  v.picklist(ROLES, `must be one of ${ROLES.join(', ')}`),
  v.description('The role in the team.'),
);

/** What a passkey answered, as JSON. The service checks it whole. */
export const credential = v.pipe(
  v.looseObject({}, 'must be the answer of a passkey, as JSON'),
  v.description('The answer of the passkey, as JSON.'),
);

export const flag = (description: string) =>
  v.pipe(v.boolean('must be true or false'), v.description(description));
