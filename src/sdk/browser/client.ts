/**
 * The client of the service's browser routes: the steps of each call. transport.ts sends the requests, and
 * challenges.ts fetches challenges. The client stores nothing in the browser. It keeps no descriptors but those of an
 * enrollment that has failed, for a next try with the same address within two minutes. Held by
 * test/sdk/browser-client.test.ts, test/sdk/browser-faces.test.ts and, in a browser, test/browser/sdk.test.ts.
 */
import {
  codeSentIn,
  emailSignedInIn,
  enrolledIn,
  ownUserIn,
  profileIn,
  signedInIn,
  templatesAddedIn,
} from './answers.ts';
import type { Kept } from './capture/capture.ts';
import { challengesOf } from './challenges.ts';
import type { Client, ClientOptions, FaceInput, Session } from './client-types.ts';
import { FaceSignInError, isErrorOf } from './errors.ts';
import { type Count, faceOf } from './faces.ts';
import { consentOf, optionsOf, textOf } from './inputs.ts';
import { settingsOf } from './options.ts';
import { keepSession } from './session.ts';
import { type Call, send } from './transport.ts';

const ENROLL = { most: 5, byDefault: 5, enrollment: true };
const MATCH = { most: 3, byDefault: 1 };
const ADD = { ...MATCH, enrollment: true };

const LOGOUT = '/v1/me/logout';

type Signal = AbortSignal | undefined;

/**
 * Creates a client for the app of the publishable key. Sends and loads nothing until a method is called.
 * @throws TypeError for an invalid option, with its name and the fix
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const keeper = keepSession();
  const challenges = challengesOf(settings);
  const failed: { email: string; keep: Kept } = { email: '', keep: {} };

  const post = (path: string, json: unknown, signal: Signal) =>
    send(settings, { method: 'POST', path, json, signal });

  function begin<T extends Session>(session: T): T {
    failed.keep.candidates = undefined;
    keeper.begin(session);
    return session;
  }

  /** Without the page's consent nobody gets the token, and it is good for nothing. */
  async function beginIf<T extends Session>(accepts: ((session: T) => boolean) | undefined, session: T) {
    let isAccepted = false;
    try {
      isAccepted = !accepts || accepts(session) === true;
    } finally {
      if (!isAccepted) await revoke(session.token);
    }
    return isAccepted ? begin(session) : session;
  }

  const face = (input: FaceInput, count: Count) =>
    faceOf(settings, input, count, () => challenges.prepare(input.signal));

  function required(): string {
    const session = keeper.current();
    if (!session) throw new FaceSignInError('not_signed_in');
    return session.token;
  }

  /**
   * Sends the user's token. A response that says it is no longer valid ends the session. It may also say that this call
   * needs a token from an email code: then the profile can still be read.
   */
  async function asUser(token: string | null, call: Omit<Call, 'token'>): Promise<unknown> {
    try {
      return await send(settings, { ...call, token });
    } catch (error) {
      if (token !== null && call.path !== LOGOUT && isErrorOf(error, 'unauthorized') && (await isGood(token)))
        throw emailCodeNeeded(error);
      if (isOver(error) && keeper.current()?.token === token) keeper.end();
      throw error;
    }
  }

  const isGood = (token: string) =>
    send(settings, { method: 'GET', path: '/v1/me', token, signal: undefined }).then(
      () => true,
      () => false,
    );

  async function revoke(token: string | null, signal?: AbortSignal): Promise<void> {
    // Also when the page is left meanwhile.
    const call = { method: 'POST', path: LOGOUT, signal, repeatable: true, keepalive: true } as const;
    try {
      await asUser(token, call);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  }

  function endOf(token: string | null): void {
    if (token === null || keeper.current()?.token === token) keeper.end();
  }

  const client: Client = {
    mode: settings.mode,
    get session() {
      return keeper.current();
    },
    get token() {
      return keeper.current()?.token ?? null;
    },
    onSessionChange: listener => keeper.subscribe(listener),

    async enroll(options) {
      const { email, name, signal, ...input } = optionsOf(options);
      const consent = consentOf(input.consent);
      const person = {
        email: textOf(email, 'email'),
        ...(name !== undefined && { name: textOf(name, 'name') }),
      };
      // Another address is another person's; and whoever stops does not want to go on.
      if (failed.email !== person.email) failed.keep.candidates = undefined;
      failed.email = person.email;
      try {
        const enrolled = await face({ ...input, signal }, { ...ENROLL, keep: failed.keep });
        const answer = await challenges.use(signal, challenge_id =>
          post('/v1/enroll', { challenge_id, ...person, ...enrolled, consent }, signal),
        );
        return begin(enrolledIn(answer));
      } catch (error) {
        if (isErrorOf(error, 'aborted')) failed.keep.candidates = undefined;
        throw error;
      }
    },

    async signIn(options) {
      const { accepts, ...input } = optionsOf(options);
      const seen = await face(input, MATCH);
      const answer = await challenges.use(input.signal, challenge_id =>
        post('/v1/match', { challenge_id, ...seen }, input.signal),
      );
      return beginIf(accepts, signedInIn(answer));
    },

    async requestEmailCode(email, options) {
      const { signal } = optionsOf(options);
      return codeSentIn(await post('/v1/email-codes', { email: textOf(email, 'email') }, signal));
    },

    async signInWithEmailCode(email, code, options) {
      const { signal, asksOwner, accepts } = optionsOf(options);
      const json = {
        email: textOf(email, 'email'),
        code: textOf(code, 'code'),
        ...(asksOwner === true && { asks_owner: true }),
      };
      return beginIf(accepts, emailSignedInIn(await post('/v1/email-codes/verify', json, signal)));
    },

    async profile(options) {
      const { signal } = optionsOf(options);
      const call = { method: 'GET', path: '/v1/me', signal, repeatable: true } as const;
      const profile = profileIn(await asUser(required(), call));
      keeper.update(profile.user);
      return profile;
    },

    async rename(options) {
      const { name, signal } = optionsOf(options);
      const json = { name: textOf(name, 'name') };
      const user = ownUserIn(await asUser(required(), { method: 'PATCH', path: '/v1/me', json, signal }));
      keeper.update(user);
      return { user };
    },

    async requestEmailChange(options) {
      const { newEmail, signal } = optionsOf(options);
      const json = { new_email: textOf(newEmail, 'newEmail') };
      return codeSentIn(await asUser(required(), { method: 'POST', path: '/v1/me/email', json, signal }));
    },

    async confirmEmailChange(options) {
      const { code, signal } = optionsOf(options);
      const json = { code: textOf(code, 'code') };
      const call = { method: 'POST', path: '/v1/me/email/confirm', json, signal } as const;
      const user = ownUserIn(await asUser(required(), call));
      keeper.update(user);
      return { user };
    },

    async confirmFace(options) {
      const { signal } = optionsOf(options);
      const call = { method: 'POST', path: '/v1/me/face/confirm', signal, repeatable: true } as const;
      const user = ownUserIn(await asUser(required(), call));
      keeper.update(user);
      return { user };
    },

    async addTemplates(options) {
      const input = optionsOf(options);
      const { signal } = input;
      required();
      const seen = await face(input, ADD);
      const answer = await challenges.use(signal, challenge_id => {
        const json = { challenge_id, ...seen };
        return asUser(required(), { method: 'POST', path: '/v1/me/templates', json, signal });
      });
      return begin(templatesAddedIn(answer));
    },

    async signOut(options) {
      const { signal } = optionsOf(options);
      const token = keeper.current()?.token ?? null;
      // A first-party app may still have the cookie.
      if (token === null && !settings.firstParty) return;
      await revoke(token, signal);
      endOf(token);
    },

    async deleteAccount(options) {
      const { signal } = optionsOf(options);
      const token = required();
      try {
        await asUser(token, { method: 'DELETE', path: '/v1/me', signal });
      } catch (error) {
        // Already deleted: elsewhere, or by an earlier call whose response was lost.
        if (!isErrorOf(error, 'not_found')) throw error;
      }
      endOf(token);
    },
  };
  return client;
}

const emailCodeNeeded = ({ detail = '', status = 401 }: FaceSignInError) =>
  new FaceSignInError('email_code_needed', { detail, status });

/** Whether the token is no longer valid: it expired, was revoked, or the user was deleted. */
const isOver = (error: unknown) =>
  isErrorOf(error, 'unauthorized') || isErrorOf(error, 'token_revoked') || isErrorOf(error, 'not_found');
