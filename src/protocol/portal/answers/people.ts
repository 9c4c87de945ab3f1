/** Answers about end users and their events, of one app and mode. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, flag, id, nullable, text, time } from '../../answer-parts.ts';
import { EVENT_TYPES } from '../../event-types.ts';
import { mode } from './apps.ts';

export const person = v.strictObject({
  id: id('usr', 'The ID of the user.'),
  email: text('Their email address.', 'ada@example.com'),
  name: v.pipe(v.string(), v.metadata({ description: 'May be empty.', examples: ['Ada Lovelace'] })),
  created_at: time('When they enrolled.'),
  last_sign_in_at: nullable(time('An instant, in UTC.'), 'Null until the first sign-in.'),
  email_verified: flag('Whether the address was verified by a code.'),
  mode,
  template_count: count('How many face templates they have.'),
});
export const peoplePage = v.strictObject({
  users: v.array(person),
  next_cursor: nullable(v.string(), 'For the next page; null on the last one.'),
});

export const personAnswer = v.strictObject({
  user: person,
  consent: nullable(
    v.strictObject({
      policy_version: text('The version of the notice that was accepted.', '2026-01'),
      accepted_at: time('When it was accepted.'),
      ip: text('The client address then.', '203.0.113.9'),
      user_agent: v.pipe(v.string(), v.description('The browser then.')),
    }),
    'The consent to the processing of the face.',
  ),
  templates: v.array(
    v.strictObject({
      id: id('tpl', 'The ID of the template.'),
      origin: v.pipe(v.picklist(['enrolled', 'learned']), v.description('How it came.')),
      created_at: time('When it was stored.'),
    }),
  ),
  counters: v.pipe(
    v.array(
      v.strictObject({
        about: text('What is counted.', 'codes requested for the address'),
        count: count('How often.'),
        ends_at: time('When the count is forgotten.'),
      }),
    ),
    v.description('What limits count about this person now, such as failures that may lock them out.'),
  ),
});

export const personFile = v.pipe(
  v.looseObject({ format: v.string(), exported_at: time('When the file was made.') }),
  v.description('All data stored about the person, without face descriptors.'),
);

export const listedEvent = v.strictObject({
  id: text('The ID of the event.', 'evt_0lx1k2m3nq3Vt9XbYk2LmN8pR'),
  at: time('When it happened.'),
  type: v.pipe(v.picklist(EVENT_TYPES), v.description('What happened.')),
  user_id: nullable(v.string(), 'Null: no user, or an erased one.'),
  ip: nullable(v.string(), 'The client address; null: erased.'),
  user_agent: nullable(v.string(), 'The browser; null: erased.'),
});
export const eventPage = v.strictObject({
  events: v.pipe(v.array(listedEvent), v.description('Newest first, at most 50.')),
  before: nullable(v.string(), 'Send it as `before` for older events; null: there are none.'),
  after: v.pipe(v.string(), v.description('Send it as `after` for events that come after these.')),
});
