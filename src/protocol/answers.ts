/**
 * The exact body of every response except errors (error-answer.ts). Responses have no other fields. Each export is a
 * named schema of the API description; test/support/openapi.ts checks every response of every test against it.
 */
import * as v from 'valibot';
import { count, flag, id, nullable, seconds, shaped, text, time } from './answer-parts.ts';
import { outboxEvent } from './outbox.ts';

/** 32 bytes, base64url. */
const HASH = /^[0-9A-Za-z_-]{43}$/;
const HASH_EXAMPLE = 'kP0x3v1m7dQ9yZtR5uWb2cNfE8hJ6aLsG4oXqV-iT_M';

export const challenge = v.pipe(
  v.strictObject({
    challenge_id: id('ch', 'Send it with the one call that uses this challenge.'),
    nonce: shaped(HASH, '32 random bytes, base64url.', HASH_EXAMPLE),
    expires_at: time('60 seconds after the challenge was issued.'),
  }),
  v.description('Valid for one enroll, match or template add, with a key of the same app and mode.'),
);

const person = {
  id: id('usr', 'The permanent ID of the user. Use it to link your own accounts.'),
  email: text('As given at enrollment. Unique in the app and mode.', 'ada@example.com'),
  name: v.pipe(
    v.string(),
    v.metadata({ description: 'Display name; may be empty.', examples: ['Ada Lovelace'] }),
  ),
  created_at: time('When the user enrolled.'),
};
const emailVerified = flag(
  'Whether the address was verified by a code. This does not prove that the face belongs to its owner.',
);
const lastSignIn = nullable(
  time('An instant, in UTC.'),
  'The last sign-in by face or email code; null until the first one.',
);

export const user = v.strictObject(person);
export const listedUser = v.strictObject({ ...person, last_sign_in_at: lastSignIn });
export const verifiedUser = v.strictObject({ ...person, email_verified: emailVerified });
export const ownUser = v.strictObject({
  ...person,
  email_verified: emailVerified,
  last_sign_in_at: lastSignIn,
});

const token = {
  token: shaped(
    /^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+$/,
    'The user token: a JWT signed with ES256, valid for one hour.',
    'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl',
  ),
  expires_at: time('When the token expires: its `exp`.'),
};

export const enrolled = v.strictObject({ user, ...token });
export const signedIn = v.strictObject({
  user,
  ...token,
  confidence: v.pipe(
    v.number(),
    v.minValue(0.25),
    v.maxValue(1),
    v.description(
      'How close the match is, in quarters: 0.25 is at the threshold, 1 is an enrolled picture itself.',
    ),
  ),
});
export const signedInByCode = v.strictObject({
  user: verifiedUser,
  ...token,
  method: v.pipe(v.literal('email_code'), v.description('How the user signed in.')),
  first_verification: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'Sent when the address is verified for the first time; with `asks_owner`, every time until the person has ' +
          'answered; without it, no more once the question is open. The face was enrolled at `created_at` by whoever gave this address then, so ask the person ' +
          'whether it is theirs. If it is, confirm the face. If not, delete the account.',
      ),
    ),
  ),
});
export const codeSent = v.strictObject({
  expires_at: time('When the code expires. The response is the same if the address is not enrolled.'),
});

const templateCount = v.pipe(count('How many face templates the user has.'), v.maxValue(10));

export const profile = v.strictObject({
  user: ownUser,
  enrolled_at: time('When the face was enrolled.'),
  template_count: templateCount,
  consent: v.strictObject({
    policy_version: text('The version of the notice that was accepted.', '2026-01'),
    accepted_at: time('When the notice was accepted.'),
  }),
  livemode: flag('False for the data of test keys.'),
});
export const changedUser = v.strictObject({ user: ownUser });
export const templatesAdded = v.strictObject({ user, ...token, template_count: templateCount });

export const userPage = v.strictObject({
  users: v.array(listedUser),
  next_cursor: nullable(v.string(), 'Send it as `cursor` to get the next page. Null on the last page.'),
});

const claims = v.strictObject({
  iss: text('The base URL of the service.', 'https://signin.example.com'),
  aud: v.pipe(
    v.array(v.string()),
    v.minLength(2),
    v.description('The audience of the mode, and the app ID.'),
  ),
  sub: id('usr', 'The ID of the user.'),
  app_id: id('app', 'The ID of the user’s app.'),
  email: text('The email address of the user.', 'ada@example.com'),
  iat: seconds('When the token was issued, in seconds since the epoch.'),
  exp: seconds('When the token expires: one hour after `iat`.'),
  jti: text('The ID of the token.', 'jti_q3Vt9XbYk2LmN8pRs5TzWc7D'),
  amr: v.pipe(v.array(v.picklist(['face', 'otp'])), v.description('How the user signed in (RFC 8176).')),
  email_verified: emailVerified,
  livemode: v.optional(flag('False for a test token. A token without this field is live.')),
});
const validToken = v.strictObject({ valid: v.literal(true), claims });
const rejectedToken = v.strictObject({
  valid: v.literal(false),
  reason: v.pipe(
    v.picklist(['expired', 'invalid', 'revoked', 'user_not_found', 'mode_mismatch']),
    v.description(
      '`mode_mismatch`: the token and the key are of different modes. `revoked`: the user signed out, or the ' +
        'address was verified for the first time after this token was issued.',
    ),
  ),
});
export const verdict = v.variant('valid', [validToken, rejectedToken]);

export const usage = v.strictObject({
  month: shaped(/^\d{4}-(0[1-9]|1[0-2])$/, 'The month, in UTC.', '2026-03'),
  auths: count(
    'Counts toward the plan: enroll and match calls that reached face matching, and verified email codes.',
  ),
  limit: nullable(
    count('A number of auths.'),
    'Auths per month of the plan. Null if the plan has no limit, and in test mode.',
  ),
  enrolls: count('Users enrolled.'),
  matches_ok: count('Matches that signed a user in.'),
  matches_failed: count('Matches that failed with `no_match`.'),
  livemode: flag('The mode of the key. The counts are of this mode.'),
});

export const app = v.strictObject({
  id: id('app', 'The ID of the app.'),
  name: text('The name of the app.', 'Shop'),
});

export const eventPage = v.strictObject({
  events: v.array(outboxEvent),
  next_after: count('Send it as `after` to read on.'),
  oldest: nullable(
    count('The `seq` of an event.'),
    'The `seq` of the oldest event that is kept, for 7 days. Null: none is. If it is above the `after` you sent plus ' +
      'one, you may have missed events.',
  ),
});

const ended = time('When the last token that it names has ended.');
const issuedBefore = time('Tokens whose `iat` is before this are revoked.');
const revocation = v.variant('kind', [
  v.strictObject({
    kind: v.pipe(v.literal('token'), v.description('One token: its user signed out.')),
    jti: text('The ID of the token.', 'jti_q3Vt9XbYk2LmN8pRs5TzWc7D'),
    expires_at: ended,
  }),
  v.strictObject({
    kind: v.pipe(v.literal('user'), v.description('Tokens of a user, who may have been deleted.')),
    user_id: id('usr', 'The ID of the user.'),
    issued_before: issuedBefore,
    expires_at: ended,
  }),
  v.strictObject({
    kind: v.pipe(
      v.literal('all'),
      v.description(
        'Tokens of all users: signing keys were revoked, or a backup was restored. Fetch the public keys.',
      ),
    ),
    issued_before: issuedBefore,
    expires_at: ended,
  }),
]);
export const revocationPage = v.strictObject({
  revocations: v.array(revocation),
  next_after: text('Send it as `after` to read on.', 'WzQyLDBd.kP0x3v1m7dQ9yZtR5uWb2cNfE8hJ6aLsG4oXqV'),
  as_of: time('Everything that was revoked until a moment before this is in.'),
});

const version = text('Version of the service.', '1.0.0');
export const health = v.strictObject({ status: v.literal('ok'), db: v.literal('ok'), version });
export const healthDown = v.strictObject({ status: v.literal('down'), db: v.literal('down'), version });

const coordinate = shaped(HASH, 'A coordinate of the point, base64url.', HASH_EXAMPLE);
const publicKey = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  kid: shaped(
    HASH,
    'Thumbprint of the key (RFC 7638). The header of its tokens has the same `kid`.',
    HASH_EXAMPLE,
  ),
  alg: v.literal('ES256'),
  use: v.literal('sig'),
});
export const publicKeys = v.strictObject({
  keys: v.pipe(v.array(publicKey), v.minLength(1), v.maxLength(2)),
});

export const description = v.objectWithRest(
  { openapi: v.pipe(v.string(), v.description('The OpenAPI version.')) },
  v.unknown(),
);
