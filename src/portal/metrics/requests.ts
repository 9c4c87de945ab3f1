/**
 * Metrics of the requests to the API. The route label is the route's pattern, and requests without a route share one
 * name, so callers cannot create series. Series are cached, because every sign-in counts here.
 * Held by test/portal/metrics.test.ts.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestWatch } from '../../http/request-watch.ts';
import { ERROR_STATUS, type ErrorCode } from '../../protocol/errors.ts';

/** In seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const NO_ROUTE = 'unmatched';
const PREFLIGHT = 'preflight';

interface Series {
  readonly duration: Histogram.Internal<'method' | 'route'>;
  readonly byStatus: Map<number, Counter.Internal>;
}

export function requestFigures(registry: Registry): Omit<RequestWatch, 'refused'> {
  const registers = [registry];
  const requests = new Counter({
    name: 'face_sign_in_http_requests_total',
    help: 'Answered requests to the API by method, route pattern and status. The route is "unmatched" for unknown paths and "preflight" for CORS preflight requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'face_sign_in_http_request_duration_seconds',
    help: 'Time from the headers of a request to the API until its response is ready to be sent. Routes that send codes wait for MAIL_ANSWER_MS on purpose.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'face_sign_in_http_requests_in_flight',
    help: 'Requests to the API that are in progress.',
    registers,
  });
  const refusals = new Counter({
    name: 'face_sign_in_refusals_total',
    help: 'Error responses of the API by error code. Requests that are not valid HTTP count as invalid_request or not_found.',
    labelNames: ['code'],
    registers,
  });
  const byCode = new Map<ErrorCode, Counter.Internal>();
  for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
    refusals.inc({ code }, 0);
    byCode.set(code, refusals.labels(code));
  }
  const outcome = outcomeFigures(registry);
  /** Route → method → series. */
  const cache = new Map<string, Map<string, Series>>();
  let running = 0;
  inFlight.set(0);

  function seriesOf(method: string, route: string): Series {
    const ofRoute = cache.get(route) ?? new Map<string, Series>();
    cache.set(route, ofRoute);
    const found = ofRoute.get(method);
    if (found) return found;
    const series = { duration: durations.labels(method, route), byStatus: new Map() };
    ofRoute.set(method, series);
    return series;
  }

  function countOf({ byStatus }: Series, method: string, route: string, status: number): Counter.Internal {
    const found = byStatus.get(status);
    if (found) return found;
    const count = requests.labels(method, route, String(status));
    byStatus.set(status, count);
    return count;
  }

  return {
    began() {
      inFlight.set(++running);
    },

    ended(method, route, status, code, seconds) {
      inFlight.set(--running);
      const named = METHODS.has(method) ? method : 'other';
      const place = route ?? (method === 'OPTIONS' && status === 204 ? PREFLIGHT : NO_ROUTE);
      const series = seriesOf(named, place);
      series.duration.observe(seconds);
      countOf(series, named, place, status).inc();
      if (code !== null) byCode.get(code)?.inc();
      if (route !== null && method === 'POST') outcome(route, code);
    },

    unreadable(code) {
      byCode.get(code)?.inc();
    },
  };
}

/** The name of a success, and of the refusals that have their own. Every other one is `refused`. */
type Outcomes = { readonly done: string } & Partial<Readonly<Record<ErrorCode, string>>>;

const OUTCOMES: readonly { name: string; help: string; routes: Readonly<Record<string, Outcomes>> }[] = [
  {
    name: 'face_sign_in_matches_total',
    help: 'Face sign-ins by outcome: signed_in, no_match, or refused for another reason.',
    routes: { '/v1/match': { done: 'signed_in', no_match: 'no_match' } },
  },
  {
    name: 'face_sign_in_enrolments_total',
    help: 'Enrollments by outcome: enrolled, face_already_enrolled, email_taken, or refused for another reason.',
    routes: {
      '/v1/enroll': {
        done: 'enrolled',
        face_already_enrolled: 'face_already_enrolled',
        email_taken: 'email_taken',
      },
    },
  },
  {
    name: 'face_sign_in_email_codes_total',
    help: 'Email codes for sign-in by outcome: asked (registered address or not), verified, wrong, or refused for another reason.',
    routes: {
      '/v1/email-codes': { done: 'asked' },
      '/v1/email-codes/verify': { done: 'verified', invalid_code: 'wrong' },
    },
  },
];

/**
 * Outcomes over all apps, as reported to the callers. Distances are not counted, so a metric reveals nothing about a
 * person that the response did not.
 */
function outcomeFigures(registry: Registry): (route: string, code: ErrorCode | null) => void {
  const counts = new Map<string, ReadonlyMap<string, Counter.Internal>>();
  for (const { name, help, routes } of OUTCOMES) {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    const seriesOf = (outcome: string) => {
      counter.inc({ outcome }, 0);
      return counter.labels(outcome);
    };
    for (const [route, outcomes] of Object.entries(routes)) {
      const all = Object.entries({ ...outcomes, refused: 'refused' });
      counts.set(route, new Map(all.map(([code, outcome]) => [code, seriesOf(outcome)])));
    }
  }
  return (route, code) => {
    const series = counts.get(route);
    (series?.get(code ?? 'done') ?? series?.get('refused'))?.inc();
  };
}
