/** Races for email codes: one code makes one token, five guesses are evaluated, and a new code gives none back. */
import { faces, someEmail, usage } from '../../support/client.ts';
import { freshCode, requestCode, VERIFY_PATH, verifyCode, wrongCode } from '../../support/codes.ts';
import {
  count,
  differs,
  notKind,
  pageRequest,
  type Race,
  type Setup,
  somebody,
  times,
  unlike,
} from './setup.ts';

const GUESSES = 5;

const events = ({ run }: Setup, appId: string, type: string) =>
  count(run, 'auth_events', 'app_id = ? AND type = ?', appId, type);

export const oneCode: Race = {
  name: 'one email code verified',
  wanted: 'one 200; five more evaluated, the rest 429',
  async run(setup) {
    const { run, mode, parallel, send } = setup;
    const { app, user } = await somebody(run, mode, faces.genuine(0));
    const code = await freshCode(run, app, user.email, { mode });
    const replies = await send(
      times(parallel, () => pageRequest(app, mode, VERIFY_PATH, { email: user.email, code })),
    );
    return [
      ...unlike(replies, {
        200: 1,
        '400 invalid_code': GUESSES,
        '429 rate_limited': parallel - 1 - GUESSES,
      }),
      ...differs('sign-ins', events(setup, app.id, 'email_code'), 1),
      ...differs('auths', usage(run, app, mode).auths, 2),
      ...differs('codes left', count(run, 'email_codes', 'app_id = ?', app.id), 0),
    ];
  },
};

export const wrongGuesses: Race = {
  name: 'wrong guesses, while new codes are asked for, and after',
  wanted: '5 evaluated, the rest 429; the right code 429 too',
  async run(setup) {
    const { run, mode, parallel, send } = setup;
    const { app, user } = await somebody(run, mode, faces.genuine(0));
    const { email } = user;
    const code = await freshCode(run, app, email, { mode });
    const guess = (n: number) => pageRequest(app, mode, VERIFY_PATH, { email, code: wrongCode(code, n) });
    const renewals = 3;
    const every = Math.floor(parallel / renewals);
    const requests = times(parallel, n => {
      const renews = n % every === every >> 1 && n < every * renewals;
      // A renewed code could be guessed right by chance: one in a million each time.
      return renews ? pageRequest(app, mode, '/v1/email-codes', { email }) : guess(n);
    });
    const replies = await send(requests);
    const newest = await freshCode(run, app, email, { mode });
    const right = await verifyCode(run, app, email, newest, { mode });
    const later = await send(times(parallel, guess));
    return [
      ...unlike(replies, {
        202: renewals,
        '400 invalid_code': GUESSES,
        '429 rate_limited': parallel - renewals - GUESSES,
      }),
      ...notKind('the right code of a new message', right, '429 rate_limited'),
      ...unlike(later, { '429 rate_limited': parallel }),
      ...differs('guesses evaluated', events(setup, app.id, 'email_code_failed'), GUESSES),
      ...differs('sign-ins', events(setup, app.id, 'email_code'), 0),
    ];
  },
};

export const guessesAtUnknownEmail: Race = {
  name: 'wrong guesses for an address that nobody has',
  wanted: '5 evaluated, the rest 429, as for a known one',
  async run({ run, mode, parallel, send }) {
    const app = await run.createApp();
    const email = someEmail();
    const replies = await send(
      times(parallel, n => pageRequest(app, mode, VERIFY_PATH, { email, code: wrongCode('500000', n) })),
    );
    const asked = await requestCode(run, app, email, { mode });
    return [
      ...unlike(replies, { '400 invalid_code': GUESSES, '429 rate_limited': parallel - GUESSES }),
      ...notKind('a code asked for', asked, '202'),
      ...notKind('and guessed', await verifyCode(run, app, email, '500000', { mode }), '429 rate_limited'),
    ];
  },
};
