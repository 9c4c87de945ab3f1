/** Answers about operators: sign-in, account, sessions, passkeys. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, flag, id, nullable, shaped, text, time } from '../../answer-parts.ts';
import { ROLES } from '../roles.ts';

const TOKEN = /^[\w-]{43}$/;
const TOKEN_EXAMPLE = 'kP0x3v1m7dQ9yZtR5uWb2cNfE8hJ6aLsG4oXqV-iT_M';

export const role = v.pipe(v.picklist(ROLES), v.description('A member’s role in a team.'));

const operatorId = id('opr', 'The ID of the operator.');
const name = text('The operator’s name.', 'Ada Lovelace');
const email = text('The operator’s email address.', 'ada@example.com');
const isAdmin = flag('Whether the operator is an admin, who runs the installation.');

export const signedInOperator = v.strictObject({
  id: operatorId,
  name,
  email,
  is_admin: isAdmin,
  teams: v.pipe(
    v.array(v.strictObject({ id: id('team', 'The ID of the team.'), name: text('Its name.', 'Shop'), role })),
    v.description('The operator’s teams, by name.'),
  ),
});

const expiresAt = time('When the session ends, if no other request comes before.');

/** The second half of a session. The first one is the cookie of the answer. */
export const begunSession = v.strictObject({
  session: v.strictObject({
    secret: shaped(TOKEN, 'Send it with every request, in the portal’s header.', TOKEN_EXAMPLE),
    expires_at: expiresAt,
  }),
  operator: signedInOperator,
});

export const ownSession = v.strictObject({
  session: v.strictObject({ expires_at: expiresAt }),
  operator: signedInOperator,
});

/** An invitation that was accepted in a session starts no new one. */
export const redeemed = v.union([begunSession, ownSession]);

export const passkeyOptions = v.strictObject({
  options: v.pipe(v.looseObject({}), v.description('WebAuthn options, as JSON.')),
});

export const passkey = v.strictObject({
  id: id('psk', 'The ID of the passkey.'),
  label: text('What the operator calls it.', 'Laptop'),
  created_at: time('When it was registered.'),
  last_used_at: nullable(time('An instant, in UTC.'), 'When it last signed in or confirmed.'),
});
export const passkeyAnswer = v.strictObject({ passkey });
export const passkeyList = v.strictObject({ passkeys: v.array(passkey) });

export const recoveryCodes = v.strictObject({
  codes: v.pipe(
    v.array(shaped(/^[0-9A-Za-z]{20}$/, 'A recovery code. It works once.', 'q3Vt9XbYk2LmN8pRs5Tz')),
    v.length(10),
  ),
});

export const operatorSession = v.strictObject({
  id: id('ses', 'The ID of the session.'),
  means: v.pipe(v.picklist(['link', 'passkey', 'recovery']), v.description('How it began.')),
  began_at: time('When it began.'),
  seen_at: time('When its last request came, by the minute.'),
  expires_at: expiresAt,
  ip: text('The client address at its beginning.', '203.0.113.9'),
  user_agent: text('The browser at its beginning.', 'Mozilla/5.0'),
  current: flag('Whether this is the session of the request.'),
});
export const sessionList = v.strictObject({ sessions: v.array(operatorSession) });

export const account = v.strictObject({
  account: v.strictObject({
    id: operatorId,
    name,
    email,
    is_admin: isAdmin,
    language: nullable(text('A language tag.', 'es'), 'The language of the portal; null: the browser’s.'),
    theme: nullable(v.picklist(['light', 'dark']), 'Null: the browser’s.'),
    created_at: time('When the operator was created.'),
    recovery_codes: count('How many recovery codes are left.'),
  }),
});

const changeable = {
  id: operatorId,
  name,
  email,
  is_admin: isAdmin,
  created_at: time('When the operator was created.'),
  disabled_at: nullable(
    time('An instant, in UTC.'),
    'Since when the operator cannot sign in; null: they can.',
  ),
  invited_by: nullable(
    text('An ID, or `command line`.', 'command line'),
    'Who made the link that created the operator; null: from before this was recorded.',
  ),
  email_changed_at: nullable(
    time('An instant, in UTC.'),
    'When an admin last changed the address; null: never.',
  ),
};

export const listedOperator = v.strictObject({
  ...changeable,
  passkeys: count('How many passkeys they have.'),
  sessions: count('How many sessions they have.'),
  last_seen_at: nullable(time('An instant, in UTC.'), 'When their last request came; null: never.'),
});
export const operatorList = v.strictObject({ operators: v.array(listedOperator) });

export const changedOperator = v.strictObject({ operator: v.strictObject(changeable) });

export const oneTimeLink = v.strictObject({
  url: text('Open it in a browser. It works once.', 'http://localhost:8081/link#kP0x3v1m7dQ9yZtR5uWb2c'),
  token: shaped(TOKEN, 'The part after `#`.', TOKEN_EXAMPLE),
  purpose: v.pipe(v.picklist(['sign_in', 'new_operator', 'invitation']), v.description('What it does.')),
  expires_at: time('When it stops working.'),
});
export const linkAnswer = v.strictObject({ link: oneTimeLink });
