/** The steps of the demo. Each sends real requests and describes the result in plain words. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { request } from 'undici';
import { AUDIENCE } from '../../brand.ts';
import { TEST_CODE } from '../../protocol/limits.ts';
import { syntheticFaces } from '../../sdk/browser/testing.ts';
import { CommandFailed } from '../command.ts';
import type { Answer, Page } from './page.ts';

interface DemoApp {
  readonly id: string;
  readonly secretKey: string;
}

export interface Scene {
  readonly address: string;
  readonly issuer: string;
  readonly app: DemoApp;
  readonly page: Page;
}

export interface Step {
  readonly title: string;
  /** Runs the step. Returns one sentence that says what happened. */
  readonly act: () => Promise<string>;
}

const ADA = 0;
const BEN = 1;
const CONSENT = { policy_version: 'demo-1', accepted: true };

export function demoSteps({ address, issuer, app, page }: Scene): Step[] {
  const faces = syntheticFaces(7);
  let token = '';

  const enroll = (person: number, name: string) =>
    page.send('/v1/enroll', {
      email: `${name.toLowerCase()}@example.com`,
      name,
      descriptors: [0, 1, 2].map(capture => faces.genuine(person, capture)),
      consent: CONSENT,
    });
  const match = (descriptor: readonly number[]) => page.send('/v1/match', { descriptors: [descriptor] });

  /** Verifies the token online. */
  const verified = async (): Promise<Answer['body']> => {
    const { statusCode, body } = await request(`${address}/v1/tokens/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return expect({ status: statusCode, body: await body.json() }, 200);
  };

  return [
    {
      title: 'Ada enrolls: three pictures of her face become three templates',
      act: async () => `she is ${expect(await enroll(ADA, 'Ada'), 201).user.id}, and signed in`,
    },
    {
      title: 'Ben enrolls too',
      act: async () => `he is ${expect(await enroll(BEN, 'Ben'), 201).user.id}`,
    },
    {
      title: 'Ada signs in with a new picture',
      act: async () => {
        const body = expect(await match(faces.genuine(ADA, 9)), 200);
        token = body.token;
        return `recognised as ${body.user.name}, confidence ${body.confidence}, token until ${body.expires_at}`;
      },
    },
    {
      title: 'Your server verifies her token offline, with only the public keys',
      act: async () => {
        const { body } = await request(`${address}/.well-known/jwks.json`);
        const keys = createLocalJWKSet((await body.json()) as JSONWebKeySet);
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience: AUDIENCE.test,
          algorithms: ['ES256'],
        });
        if (payload.app_id !== app.id || payload.livemode !== false)
          throw new CommandFailed('the token is for another app or mode');
        return `signature, issuer, audience, app and mode are correct: ${payload.email}`;
      },
    },
    {
      title: 'Your server verifies it online, which also sees sign-outs and deleted users',
      act: async () => {
        const answer = await verified();
        if (answer.valid !== true) throw new CommandFailed(`the token was rejected online: ${answer.reason}`);
        return `valid, for ${answer.claims.sub}`;
      },
    },
    {
      title: 'She signs out, and online verification sees it at once',
      act: async () => {
        const headers = { authorization: `Bearer ${token}` };
        const { statusCode, body } = await request(`${address}/v1/me/logout`, { method: 'POST', headers });
        await body.dump();
        const answer = await verified();
        if (statusCode !== 204 || answer.valid !== false)
          throw new CommandFailed(
            `the service responded ${statusCode} to the sign-out, and the token is ${answer.valid ? 'still' : 'not'} valid`,
          );
        return `the token is ${answer.reason}`;
      },
    },
    {
      title: 'The camera is covered: Ada signs in with an email code instead (test mode sends no mail)',
      act: async () => {
        const email = 'ADA@example.com';
        expect(await page.post('/v1/email-codes', { email }), 202);
        const { user, method } = expect(
          await page.post('/v1/email-codes/verify', { email, code: TEST_CODE }),
          200,
        );
        return `signed in as ${user.name} by ${method}, and her address counts as verified`;
      },
    },
    {
      title: 'A stranger tries to sign in',
      act: async () => refused(await match(faces.stranger(0))),
    },
    {
      title: 'Someone who looks like both Ada and Ben tries: close to each, so the match is ambiguous',
      act: async () => refused(await match(faces.lookAlike(ADA, BEN))),
    },
  ];
}

function refused(answer: Answer): string {
  const { error } = expect(answer, 401);
  if (error.code !== 'no_match')
    throw new CommandFailed(`expected no_match, the service responded ${error.code}: ${error.message}`);
  return 'refused: no_match, with no hint about who was similar';
}

function expect({ status, body }: Answer, wanted: number): Answer['body'] {
  if (status === wanted) return body;
  if (body.error?.code === 'unauthorized') throw otherSettings();
  throw new CommandFailed(
    `expected ${wanted}, the service responded ${status} ${body.error?.code ?? ''}: ${body.error?.message ?? ''}`,
  );
}

/** The running server uses another database. */
export function otherSettings(): CommandFailed {
  return new CommandFailed(
    'the running server uses another database: run the demo with the settings of your server (PORT, DATA_DIR, DATABASE_URL)',
  );
}
