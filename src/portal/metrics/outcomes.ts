/**
 * What became of sign-ins, enrolments and email codes, as their callers were told: over all apps, and not how near a face
 * was. So a figure tells nothing of a person that the answer did not. Held by test/portal/metrics.test.ts.
 */
import { Counter, type Registry } from 'prom-client';
import type { ErrorCode } from '../../protocol/errors.ts';

interface Kind {
  readonly name: string;
  readonly help: string;
  /** Route → what its success is called, and the refusals that are told apart. */
  readonly routes: Readonly<
    Record<string, { readonly done: string; readonly codes: Partial<Record<ErrorCode, string>> }>
  >;
}

/** Every other refusal: a limit, a challenge used up, a field of the wrong form. */
const REFUSED = 'refused';

const KINDS: readonly Kind[] = [
  {
    name: 'face_sign_in_matches_total',
    help: 'Sign-ins by face, by what became of them: signed_in, no_match, or refused for another reason.',
    routes: { '/v1/match': { done: 'signed_in', codes: { no_match: 'no_match' } } },
  },
  {
    name: 'face_sign_in_enrolments_total',
    help: 'Enrolments, by what became of them: enrolled, face_already_enrolled, email_taken, or refused for another reason.',
    routes: {
      '/v1/enroll': {
        done: 'enrolled',
        codes: { face_already_enrolled: 'face_already_enrolled', email_taken: 'email_taken' },
      },
    },
  },
  {
    name: 'face_sign_in_email_codes_total',
    help: 'Email codes to sign in with: asked for (whoever has the address), verified, wrong, and requests for or tries of codes that were refused for another reason.',
    routes: {
      '/v1/email-codes': { done: 'asked', codes: {} },
      '/v1/email-codes/verify': { done: 'verified', codes: { invalid_code: 'wrong' } },
    },
  },
];

type Count = (code: ErrorCode | null) => void;

export function outcomeFigures(
  registry: Registry,
): (route: string, method: string, code: ErrorCode | null) => void {
  const counts = new Map<string, Count>();
  for (const { name, help, routes } of KINDS) {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    for (const [route, kind] of Object.entries(routes)) counts.set(route, countOf(counter, kind));
  }
  return (route, method, code) => {
    if (method === 'POST') counts.get(route)?.(code);
  };
}

function countOf(counter: Counter<'outcome'>, { done, codes }: Kind['routes'][string]): Count {
  const child = (outcome: string) => {
    counter.inc({ outcome }, 0);
    return counter.labels(outcome);
  };
  const success = child(done);
  const other = child(REFUSED);
  const told = new Map(Object.entries(codes).map(([code, outcome]) => [code, child(outcome)]));
  return code => {
    if (code === null) success.inc();
    else (told.get(code) ?? other).inc();
  };
}
