/**
 * Whom and what the requests of the fuzz are about: an app with people, and for each request a challenge, a token, a
 * face, a code of its own, so that a valid request succeeds. What a refused request did not use goes to the next one.
 */
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/brand.ts';
import { TEST_CODE } from '../../src/protocol/limits.ts';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import {
  type Answer,
  browser,
  call,
  challenge,
  consent,
  type Headers,
  type Mode,
  server,
} from '../support/client.ts';
import { requestCode, verifyCode } from '../support/codes.ts';
import type { Service } from '../support/forked-service.ts';
import { bearer, requestChange } from '../support/me.ts';
import type { TestApp } from '../support/service.ts';
import type { Case } from './cases.ts';
import type { Draft } from './request.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly face: number;
}

/** What a request was built from, to be given back. */
export interface Used {
  readonly draft: Draft;
  release(answer: Answer | null): void;
}

export interface Builder {
  build(one: Case): Promise<Used>;
}

const faces = syntheticFaces(23);
/** Over all builders, so that no two people share a face or an address. */
let count = 0;
export const someEmail = () => `fuzz${++count}@held-by-fuzz.example`;

/** Refused before anything is used. */
const UNUSED = [
  'encoder_mismatch',
  'invalid_request',
  'consent_required',
  'unauthorized',
  'origin_not_allowed',
  'unsupported_media_type',
];
/** Of everybody: a second one is refused. */
const ENCODER = 'fuzz-1';
/** Takes a token from an email code only. */
const CONFIRM_FACE = '/v1/me/face/confirm';
/** These succeed in test mode alone, where the code is known. */
const BY_CODE = ['/v1/email-codes/verify', '/v1/me/email/confirm', CONFIRM_FACE];

export async function makeBuilder(service: Service): Promise<Builder> {
  const { run } = service;
  const app = await service.run.createApp({ firstParty: true });
  const people: Record<Mode, Person[]> = { live: [], test: [] };
  const challenges: Record<Mode, string[]> = { live: [], test: [] };

  const freshChallenge = async (mode: Mode) =>
    challenges[mode].pop() ?? (await challenge(run, app, mode)).challenge_id;

  async function newPerson(mode: Mode): Promise<Person> {
    const face = ++count;
    const email = someEmail();
    const json = {
      challenge_id: await freshChallenge(mode),
      email,
      consent,
      encoder: ENCODER,
      descriptors: [faces.genuine(face)],
    };
    const answer = await call(run, 'POST', '/v1/enroll', { headers: browser(app, mode), json });
    assert.is(answer.status, 201, `enrolling somebody: ${answer.text}`);
    return { id: answer.json.user.id, email, token: answer.json.token, face };
  }

  /** The person, signed in by code, in test mode. */
  async function byCode(person: Person): Promise<Person> {
    assert.is((await requestCode(run, app, person.email, { mode: 'test' })).status, 202);
    const answer = await verifyCode(run, app, person.email, TEST_CODE, { mode: 'test' });
    assert.is(answer.status, 200, `signing in by code: ${answer.text}`);
    return { ...person, token: answer.json.token };
  }

  /** Values of fields that only the service knows to be right. */
  async function held(one: Case, mode: Mode, person: Person): Promise<Record<string, unknown>> {
    const { operation, mutations } = one;
    const wanted = Object.keys(operation.body?.properties ?? {});
    const values: Record<string, unknown> = {};
    const control = mutations.length === 0;
    if (wanted.includes('challenge_id')) values.challenge_id = await freshChallenge(mode);
    if (wanted.includes('descriptors')) {
      const captures = 1 + (++count % operation.body.properties.descriptors.maxItems);
      const face = operation.path === '/v1/enroll' ? ++count : person.face;
      values.descriptors = Array.from({ length: captures }, (_, n) => faces.genuine(face, n));
    }
    if (wanted.includes('encoder')) values.encoder = ENCODER;
    if (wanted.includes('new_email')) values.new_email = someEmail();
    if (wanted.includes('token')) values.token = person.token;
    if (wanted.includes('code')) values.code = TEST_CODE;
    if (wanted.includes('email')) values.email = operation.path === '/v1/enroll' ? someEmail() : person.email;
    if (control && operation.path === '/v1/email-codes/verify')
      assert.is((await requestCode(run, app, person.email, { mode })).status, 202);
    if (control && operation.path === '/v1/me/email/confirm')
      assert.is((await requestChange(run, person.token, someEmail())).status, 202);
    return values;
  }

  return {
    async build(one) {
      const { operation, mutations, fields } = one;
      const control = mutations.length === 0;
      const mode = control && BY_CODE.includes(operation.path) ? 'test' : control ? 'live' : one.mode;
      // Somebody new, of whom no code and no change was asked yet, where that would count against them.
      const mailed = control && (/email/.test(operation.path) || operation.path === CONFIRM_FACE);
      const known = (mailed ? undefined : people[mode].pop()) ?? (await newPerson(mode));
      const person = control && operation.path === CONFIRM_FACE ? await byCode(known) : known;
      const values = await held(one, mode, person);
      const draft: Draft = {
        operation,
        method: operation.method,
        path: operation.path.replace('{id}', person.id),
        query: '',
        headers: credential(app, mode, person, one),
        body: operation.body && { ...values, ...fields },
        texts: [],
      };
      return {
        draft,
        release(answer) {
          const code = answer?.json?.error?.code;
          if (typeof values.challenge_id === 'string' && UNUSED.includes(code))
            challenges[mode].push(values.challenge_id);
          if (!mailed && answer !== null && answer.status !== 204) people[mode].push(person);
        },
      };
    },
  };
}

function credential(app: TestApp, mode: Mode, { token }: Person, { operation, cookie }: Case): Headers {
  const { credentials } = operation;
  if (credentials.includes('publishableKey')) return browser(app, mode);
  if (credentials.includes('secretKey')) return server(app, mode);
  if (cookie && credentials.includes('sessionCookie'))
    return { cookie: `${SESSION_COOKIE}=${token}`, origin: app.origin };
  return credentials.includes('userToken') ? bearer(token) : {};
}
