/**
 * A sign-in with the client that @hey-api/openapi-ts makes (`hey/`). Every ts-expect-error is an assertion: the line
 * below it must not compile. Held by test/clients/generated.test.ts.
 */
import type { Given, Outcome } from './given';
import { createChallenge, enroll, match, verifyToken } from './hey';
import { createClient } from './hey/client';
import type { EnrollBody, Failure, MatchBody, User } from './hey/types.gen';

export async function signIn(given: Given): Promise<Outcome> {
  const { baseUrl } = given;
  const page = createClient({ baseUrl, auth: given.publishableKey, headers: { Origin: given.origin } });
  const server = createClient({ baseUrl, auth: given.secretKey });

  const challenge = async (): Promise<string> => {
    const { data, error } = await createChallenge({ client: page });
    if (!data) throw new Error(explain(error));
    return data.challenge_id;
  };
  const matchBody = async (descriptor: number[]): Promise<MatchBody> => {
    return { challenge_id: await challenge(), descriptors: [descriptor] };
  };

  const enrollBody: EnrollBody = {
    challenge_id: await challenge(),
    email: given.email,
    descriptors: [given.face],
    consent: { policy_version: '2026-01', accepted: true },
  };
  const enrolled = await enroll({ client: page, body: enrollBody });
  if (!enrolled.data) throw new Error(explain(enrolled.error));

  const signedIn = await match({ client: page, body: await matchBody(given.again) });
  if (!signedIn.data) throw new Error(explain(signedIn.error));
  const { user, token, confidence }: { user: User; token: string; confidence: number } = signedIn.data;
  if (confidence <= 0) throw new Error(`a confidence of ${confidence}`);

  const verified = await verifyToken({ client: server, body: { token } });
  if (!verified.data) throw new Error(explain(verified.error));
  if (!verified.data.valid) throw new Error(verified.data.reason);

  const refused = await match({ client: page, body: await matchBody(given.stranger) });
  const short = await match({ client: page, body: await matchBody(given.face.slice(1)) });
  if (!refused.error || !short.error) throw new Error('not refused');

  // @ts-expect-error a descriptor is numbers
  ({ challenge_id: '', descriptors: ['0.1'] }) satisfies MatchBody;
  // @ts-expect-error this field is required
  ({ descriptors: [given.face] }) satisfies MatchBody;
  return {
    enrolled: enrolled.data.user.id,
    signedIn: user.id,
    verified: verified.data.claims.sub,
    refused: explain(refused.error),
    short: short.error.error.message,
  };
}

function explain({ error }: Failure): string {
  // @ts-expect-error there is no such code
  if (error.code === 'no_such_code') return '';
  if (error.code === 'plan_limit_reached') return `${error.used} of ${error.limit} until ${error.resets_at}`;
  return error.code;
}
