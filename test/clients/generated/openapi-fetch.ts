/**
 * A sign-in with openapi-fetch and the types that openapi-typescript makes (`schema.ts`). Every ts-expect-error is an
 * assertion: the line below it must not compile. Held by test/clients/generated.test.ts.
 */
import createClient from 'openapi-fetch';
import type { Given, Outcome } from './given';
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export async function signIn(given: Given): Promise<Outcome> {
  const { baseUrl } = given;
  const page = createClient<paths>({
    baseUrl,
    headers: { 'X-Svc-Key': given.publishableKey, Origin: given.origin },
  });
  const server = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${given.secretKey}` } });

  const challenge = async (): Promise<string> => {
    const { data, error } = await page.POST('/v1/challenges');
    if (error) throw new Error(explain(error));
    return data.challenge_id;
  };
  const matchBody = async (descriptor: number[]): Promise<Schemas['MatchBody']> => {
    return { challenge_id: await challenge(), descriptors: [descriptor] };
  };

  const enrollBody: Schemas['EnrollBody'] = {
    challenge_id: await challenge(),
    email: given.email,
    descriptors: [given.face],
    consent: { policy_version: '2026-01', accepted: true },
  };
  const enrolled = await page.POST('/v1/enroll', { body: enrollBody });
  if (enrolled.error) throw new Error(explain(enrolled.error));

  const signedIn = await page.POST('/v1/match', { body: await matchBody(given.again) });
  if (signedIn.error) throw new Error(explain(signedIn.error));
  const { user, token, confidence }: { user: Schemas['User']; token: string; confidence: number } =
    signedIn.data;
  if (confidence <= 0) throw new Error(`a confidence of ${confidence}`);

  const verified = await server.POST('/v1/tokens/verify', { body: { token } });
  if (verified.error) throw new Error(explain(verified.error));
  if (!verified.data.valid) throw new Error(verified.data.reason);

  const refused = await page.POST('/v1/match', { body: await matchBody(given.stranger) });
  const short = await page.POST('/v1/match', { body: await matchBody(given.face.slice(1)) });
  if (!refused.error || !short.error) throw new Error('not refused');

  // @ts-expect-error a descriptor is numbers
  ({ challenge_id: '', descriptors: ['0.1'] }) satisfies Schemas['MatchBody'];
  // @ts-expect-error this field is required
  ({ descriptors: [given.face] }) satisfies Schemas['MatchBody'];
  return {
    enrolled: enrolled.data.user.id,
    signedIn: user.id,
    verified: verified.data.claims.sub,
    refused: explain(refused.error),
    short: short.error.error.message,
  };
}

function explain({ error }: Schemas['Failure']): string {
  // @ts-expect-error there is no such code
  if (error.code === 'no_such_code') return '';
  if (error.code === 'plan_limit_reached') return `${error.used} of ${error.limit} until ${error.resets_at}`;
  return error.code;
}
