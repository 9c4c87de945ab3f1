/**
 * Outcomes of sign-ins, enrollments and email codes over all apps, as reported to the callers. Distances are not
 * counted, so a metric reveals nothing about a person that the response did not. Held by test/portal/metrics.test.ts.
 */
import { Counter, type Registry } from 'prom-client';
import type { ErrorCode } from '../../protocol/errors.ts';

interface Kind {
  readonly name: string;
  readonly help: string;
  /** Route → the name of a success, and the refusals that have their own outcome. */
  readonly routes: Readonly<
    Record<string, { readonly done: string; readonly codes: Partial<Record<ErrorCode, string>> }>
  >;
}

/** Every other refusal, such as a limit, a consumed challenge or an invalid field. */
const REFUSED = 'refused';

const KINDS: readonly Kind[] = [
  {
    name: 'face_sign_in_matches_total',
    help: 'Face sign-ins by outcome: signed_in, no_match, or refused for another reason.',
    routes: { '/v1/match': { done: 'signed_in', codes: { no_match: 'no_match' } } },
  },
  {
    name: 'face_sign_in_enrolments_total',
    help: 'Enrollments by outcome: enrolled, face_already_enrolled, email_taken, or refused for another reason.',
    routes: {
      '/v1/enroll': {
        done: 'enrolled',
        codes: { face_already_enrolled: 'face_already_enrolled', email_taken: 'email_taken' },
      },
    },
  },
  {
    name: 'face_sign_in_email_codes_total',
    help: 'Email codes for sign-in by outcome: asked (registered address or not), verified, wrong, or refused for another reason.',
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
  const byCode = new Map(Object.entries(codes).map(([code, outcome]) => [code, child(outcome)]));
  return code => {
    if (code === null) success.inc();
    else (byCode.get(code) ?? other).inc();
  };
}
