/** Request bodies of the routes, as they arrive. Unknown fields are ignored. */
import * as v from 'valibot';
import { descriptors } from './descriptors.ts';
import { email, fields, liveness, name, text } from './fields.ts';

export const enrollBody = fields({
  challenge_id: text,
  email,
  name: v.optional(name, ''),
  descriptors: descriptors(5),
  liveness: v.optional(liveness),
  /** Whether this is consent is a rule of its own, with an error code of its own. */
  consent: v.optional(v.unknown()),
});

export const matchBody = fields({
  challenge_id: text,
  descriptors: descriptors(3),
  liveness: v.optional(liveness),
});

export const verifyTokenBody = fields({
  token: v.pipe(text, v.nonEmpty('must not be empty')),
});

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
