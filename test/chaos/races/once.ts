/** Races for what may be used once: a challenge, a token to sign out, an account to delete, an email change to confirm. */
import { SESSION_COOKIE } from '../../../src/brand.ts';
import {
  challenge,
  challenges,
  enrolled,
  faces,
  match,
  server,
  someEmail,
  usage,
  verify,
} from '../../support/client.ts';
import { wrongCode } from '../../support/codes.ts';
import { changeCode, confirmChange, getMe } from '../../support/me.ts';
import {
  addRequest,
  count,
  differs,
  enrollRequest,
  kinds,
  matchRequest,
  meRequest,
  notKind,
  type Race,
  requestAs,
  somebody,
  times,
  unlike,
} from './setup.ts';

const INVALID = '400 challenge_invalid';

export const oneChallenge: Race = {
  name: 'one challenge, by enroll, match and template add',
  wanted: '1 proceeds, the rest 400 challenge_invalid',
  async run({ run, mode, parallel, send }) {
    const { app, user, token } = await somebody(run, mode, faces.genuine(0));
    const { challenge_id: id } = await challenge(run, app, mode);
    const replies = await send(
      times(parallel, n => {
        if (n % 3 === 0) return enrollRequest(app, mode, id, faces.genuine(n + 1), someEmail());
        return n % 3 === 1
          ? matchRequest(app, mode, id, faces.genuine(0, n))
          : addRequest(token, id, faces.genuine(0, n));
      }),
    );
    const { [INVALID]: refused, ...proceeded } = kinds(replies);
    const good = ['{"200":1}', '{"201":1}'].includes(JSON.stringify(proceeded));
    const learned = count(run, 'templates', 'user_id = ?', user.id) - 1;
    return [
      ...(good && refused === parallel - 1
        ? []
        : unlike(replies, { '200 or 201': 1, [INVALID]: parallel - 1 })),
      ...differs('auths and templates that came of it', usage(run, app, mode).auths - 1 + learned, 1),
      ...differs('challenge rows left', count(run, 'challenges', 'id = ?', id), 0),
    ];
  },
};

export const oneLogout: Race = {
  name: 'one token signed out, by header and cookie',
  wanted: 'one 204, the rest 401 token_revoked',
  async run({ run, mode, parallel, send }) {
    const { app, token } = await somebody(run, mode, faces.genuine(0));
    const other = (await match(run, app, { mode })).json.token;
    const cookie = { cookie: `${SESSION_COOKIE}=${token}`, origin: app.origin };
    const before = count(run, 'revoked_tokens', 'true');
    const replies = await send(
      times(parallel, n =>
        n % 2 ? requestAs(cookie, 'POST', '/v1/me/logout') : meRequest('POST', '/v1/me/logout', token),
      ),
    );
    return [
      ...unlike(replies, { 204: 1, '401 token_revoked': parallel - 1 }),
      ...differs('revocations stored', count(run, 'revoked_tokens', 'true') - before, 1),
      ...differs('online', (await verify(run, app, token, mode)).json.reason, 'revoked'),
      ...notKind('the other session of the user', await getMe(run, other), '200'),
    ];
  },
};

export const oneDeletion: Race = {
  name: 'one account deleted, by its user and by the server',
  wanted: 'one 204, the rest 404 not_found',
  async run({ run, mode, parallel, send }) {
    const { app, user, token } = await somebody(run, mode, faces.genuine(0));
    const replies = await send(
      times(parallel, n =>
        n % 2
          ? meRequest('DELETE', '/v1/me', token)
          : requestAs(server(app, mode), 'DELETE', `/v1/users/${user.id}`),
      ),
    );
    const tombstones = count(run, 'auth_events', `app_id = ? AND type = 'user_deleted'`, app.id);
    const rows = ['templates', 'consents', 'email_codes', 'auth_events'].map(table =>
      count(run, table, 'user_id = ?', user.id),
    );
    return [
      ...unlike(replies, { 204: 1, '404 not_found': parallel - 1 }),
      ...differs('tombstones', tombstones, 1),
      ...differs('rows of the user', [count(run, 'users', 'app_id = ?', app.id), ...rows], [0, 0, 0, 0, 0]),
    ];
  },
};

export const oneChange: Race = {
  name: 'one email change confirmed; and wrong codes for another',
  wanted: 'one 200, the rest 400 invalid_code; dead after wrong ones',
  async run({ run, mode, parallel, send }) {
    const { app, user, token } = await somebody(run, mode, faces.genuine(0));
    const confirm = (code: string) => meRequest('POST', '/v1/me/email/confirm', token, { code });
    const email = someEmail();
    const code = await changeCode(run, token, email, mode);
    const replies = await send(times(parallel, () => confirm(code)));
    const changed = `app_id = ? AND type = 'email_changed'`;
    const second = await changeCode(run, token, someEmail(), mode);
    const guesses = await send(times(parallel, n => confirm(wrongCode(second, n))));
    return [
      ...unlike(replies, { 200: 1, '400 invalid_code': parallel - 1 }),
      ...unlike(guesses, { '400 invalid_code': parallel }),
      ...notKind(
        'the right code after wrong ones',
        await confirmChange(run, token, second),
        '400 invalid_code',
      ),
      ...differs('address', run.opened('users').find(({ id }) => id === user.id)?.email, email),
      ...differs('changes', count(run, 'auth_events', changed, app.id), 1),
    ];
  },
};

/** Five, because no more changes to one address may be asked for in an hour. */
const WANTING = 5;

export const oneAddress: Race = {
  name: 'one address, confirmed by five users and enrolled by others',
  wanted: 'one 200 or 201, the rest 409 email_taken or 400 invalid_code',
  async run({ run, mode, parallel, send }) {
    const app = await run.createApp();
    const email = someEmail();
    const users: { token: string; code: string }[] = [];
    for (const person of times(WANTING, n => n)) {
      const { token } = await enrolled(run, app, { mode, descriptors: [faces.genuine(person)] });
      users.push({ token, code: await changeCode(run, token, email, mode) });
    }
    const others = Math.ceil(parallel / 2);
    const ids = await challenges(run, app, others, mode);
    const replies = await send(
      times(parallel, n => {
        const { token, code } = users[n % WANTING] as (typeof users)[number];
        return n % 2 && n < 2 * others
          ? enrollRequest(app, mode, ids[n >> 1] ?? '', faces.genuine(WANTING + n), email.toUpperCase())
          : meRequest('POST', '/v1/me/email/confirm', token, { code });
      }),
    );
    const {
      200: confirmed = 0,
      201: made = 0,
      '409 email_taken': _,
      '400 invalid_code': __,
      ...odd
    } = kinds(replies);
    return [
      ...differs('confirmed and enrolled', confirmed + made, 1),
      ...differs('other answers', odd, {}),
      ...differs(
        'users with the address',
        run.opened('users').filter(user => user.app_id === app.id && user.email.toLowerCase() === email)
          .length,
        1,
      ),
    ];
  },
};
