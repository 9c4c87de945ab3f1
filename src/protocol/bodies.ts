/** Request bodies of the routes, as they arrive. Unknown fields are ignored. */
import * as v from 'valibot';
import { descriptors } from './descriptors.ts';
import { challengeId, code, consent, email, encoder, fields, liveness, name, text } from './fields.ts';
import { DESCRIPTORS_PER_ENROLMENT } from './limits.ts';

export const enrollBody = fields({
  challenge_id: challengeId,
  email,
  name: v.optional(name, ''),
  descriptors: descriptors(DESCRIPTORS_PER_ENROLMENT),
  encoder: v.optional(encoder),
  liveness: v.optional(liveness),
  consent,
});

export const matchBody = fields({
  challenge_id: challengeId,
  descriptors: descriptors(3),
  encoder: v.optional(encoder),
  liveness: v.optional(liveness),
});

export const verifyTokenBody = fields({
  token: v.pipe(
    text,
    v.nonEmpty('must not be empty'),
    v.description('The user token, as the browser got it.'),
  ),
});

export const requestCodeBody = fields({ email });

export const verifyCodeBody = fields({
  email,
  code,
  asks_owner: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'Set this to true if your page asks the person whether the enrolled face is theirs. Until they answer, the question stays open over reloads: `first_verification` comes again with every code, and tokens from the face say `email_verified: false`.',
      ),
    ),
    false,
  ),
});

export const renameBody = fields({ name });

export const newEmailBody = fields({ new_email: email });

export const confirmEmailBody = fields({ code });

/** The first fault of a body, with the field by its path: `descriptors[1][127]: must be a finite number`. */
export function faultText(issues: readonly v.BaseIssue<unknown>[]): string {
  const issue = issues[0];
  if (!issue) return 'the body is not valid';
  const path = (issue.path ?? [])
    .map(({ key }, depth) =>
      typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
  return `${path || 'body'}: ${issue.message}`;
}
