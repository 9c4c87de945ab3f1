/** The routes of the access matrix: what is sent to each, with values of which gallery, and what comes of it. */
import { challenge, consent, faces, type Json } from './client.ts';
import { freshCode } from './codes.ts';
import { type Gallery, type Person, session } from './matrix.ts';
import { changeCode } from './me.ts';
import type { Running } from './service.ts';

export interface Cell {
  readonly run: Running;
  /** Whose values are sent. */
  readonly to: Gallery;
  /** Whose request it is; null where it will be refused: then nothing is prepared. */
  readonly by: Gallery | null;
  /** Number of the credential among those that open the route for this gallery. */
  readonly nth: number;
  /** Somebody new in the own gallery, one for each credential and row. */
  fresh(): Promise<Person>;
}

export interface Row {
  readonly route: string;
  /** What of the gallery is sent; none: nothing, so that there is nothing to try in another one. */
  readonly sent?: string;
  /** What an accepted credential gets: with values of the own gallery, of the app's other mode, of the other app. */
  readonly own: string;
  readonly mode?: string;
  readonly app?: string;
  /** Path where it is not the route's, and body. */
  readonly what?: (cell: Cell) => Promise<{ path?: string; json?: Json }>;
  /** The token of an accepted request, where it is not the twin's. */
  readonly who?: (cell: Cell) => Promise<string>;
}

const INVALID = '400 challenge_invalid';
const unknownFace = () => faces.stranger(++strangers);
let strangers = 0;
let addresses = 0;

/** The own challenge is used up by the request, so each gets its own; another gallery's has to stay. */
const challengeOf = async ({ run, to, by }: Cell): Promise<string> =>
  by === to ? (await challenge(run, to.app, to.mode)).challenge_id : to.challenge;
const ownChallenge = async ({ run, to, by }: Cell): Promise<string> =>
  by ? (await challenge(run, by.app, by.mode)).challenge_id : to.challenge;
const one = ({ to, nth }: Cell): Person => to.people[nth] as Person;
const freshToken = async (cell: Cell) => (await cell.fresh()).token;
const newcomer = () => ({ email: `newcomer${++addresses}@example.com`, consent });
const face = (of: { face: number }, sample = 0) => [faces.genuine(of.face, sample)];

const verifies = (sent: string, own: string, pick: (gallery: Gallery) => string): Row => ({
  route: 'POST /v1/tokens/verify',
  sent,
  own,
  mode: own === '200 invalid' ? own : '200 mode_mismatch',
  app: '200 invalid',
  what: async ({ to }) => ({ json: { token: pick(to) } }),
});
const elsewhere = (
  route: string,
  sent: string,
  refusal: string,
  pick: (gallery: Gallery) => string,
): Row => ({
  route,
  sent,
  own: refusal,
  mode: refusal,
  app: refusal,
  what: async ({ to }) => {
    const value = encodeURIComponent(pick(to));
    const path = route.replace('GET ', '');
    const name = path === '/v1/users' ? 'cursor' : 'after';
    return { path: path.endsWith(':id') ? path.replace(':id', value) : `${path}?${name}=${value}` };
  },
});

/** In this order: what enrolls addresses and faces of others, and what deletes, comes last. */
export const ROWS: readonly Row[] = [
  { route: 'GET /health', own: '200' },
  { route: 'GET /.well-known/jwks.json', own: '200' },
  { route: 'GET /openapi.json', own: '200' },
  { route: 'POST /v1/challenges', own: '200' },
  {
    route: 'POST /v1/match',
    sent: 'challenge',
    own: '200',
    mode: INVALID,
    app: INVALID,
    what: async cell => ({
      json: { challenge_id: await challengeOf(cell), descriptors: face(cell.to.twin, 1) },
    }),
  },
  {
    route: 'POST /v1/match',
    sent: 'face',
    own: '200',
    mode: '401 no_match',
    app: '401 no_match',
    what: async cell => ({
      json: { challenge_id: await ownChallenge(cell), descriptors: face(one(cell), 1) },
    }),
  },
  {
    route: 'POST /v1/email-codes/verify',
    sent: 'email and code',
    own: '200',
    mode: '400 invalid_code',
    app: '400 invalid_code',
    what: async cell => {
      const { run, to, by, nth } = cell;
      if (by !== to) return { json: { email: one(cell).email, code: to.codes[nth] } };
      const { email } = await cell.fresh();
      return { json: { email, code: await freshCode(run, to.app, email, { mode: to.mode }) } };
    },
  },
  {
    route: 'POST /v1/email-codes',
    sent: 'email',
    own: '202',
    mode: '202',
    app: '202',
    what: async cell => {
      const { email } = cell.by === cell.to ? await cell.fresh() : one(cell);
      return { json: { email } };
    },
  },
  { route: 'GET /v1/me', own: '200' },
  { route: 'PATCH /v1/me', own: '200', what: async () => ({ json: { name: 'Renamed' } }) },
  { route: 'POST /v1/me/face/confirm', own: '401 unauthorized' },
  {
    route: 'POST /v1/me/email/confirm',
    sent: 'code',
    own: '200',
    mode: '400 invalid_code',
    app: '400 invalid_code',
    who: async cell => (cell.by === cell.to ? freshToken(cell) : (cell.by?.people[cell.nth]?.token ?? '')),
    what: async cell => {
      const { run, to, by } = cell;
      if (by !== to) return { json: { code: to.changes.at(-1) } };
      const { token } = await cell.fresh();
      const address = newcomer().email;
      return { json: { code: await changeCode(run, token, address, to.mode) } };
    },
  },
  {
    route: 'POST /v1/me/email',
    sent: 'address',
    own: '409 email_taken',
    mode: '202',
    app: '202',
    who: freshToken,
    what: async cell => ({ json: { new_email: one(cell).email } }),
  },
  {
    route: 'POST /v1/me/templates',
    sent: 'challenge',
    own: '201',
    mode: INVALID,
    app: INVALID,
    what: async cell => ({
      json: { challenge_id: await challengeOf(cell), descriptors: face(cell.to.twin, 2) },
    }),
  },
  {
    route: 'POST /v1/me/templates',
    sent: 'face',
    own: '401 no_match',
    mode: '401 no_match',
    app: '401 no_match',
    what: async cell => ({
      json: { challenge_id: await ownChallenge(cell), descriptors: face(one(cell)) },
    }),
  },
  verifies('token', '200', to => to.twin.token),
  verifies('expired token', '200 expired', to => to.expired),
  verifies('revoked token', '200 revoked', to => to.revoked),
  verifies('deleted user’s token', '200 user_not_found', to => to.gone),
  verifies('challenge', '200 invalid', to => to.challenge),
  verifies('cursor', '200 invalid', to => to.cursor),
  { route: 'GET /v1/users', own: '200' },
  {
    route: 'GET /v1/users',
    sent: 'cursor',
    own: '200',
    mode: '400 invalid_request',
    app: '400 invalid_request',
    what: async ({ to }) => ({ path: `/v1/users?cursor=${to.cursor}` }),
  },
  elsewhere('GET /v1/users', 'user id as a cursor', '400 invalid_request', to => to.twin.id),
  elsewhere('GET /v1/users', 'challenge as a cursor', '400 invalid_request', to => to.challenge),
  {
    route: 'GET /v1/users/:id',
    sent: 'user id',
    own: '200',
    mode: '404 not_found',
    app: '404 not_found',
    what: async ({ to }) => ({ path: `/v1/users/${to.twin.id}` }),
  },
  elsewhere('GET /v1/users/:id', 'email', '404 not_found', to => to.people[0]?.email ?? ''),
  elsewhere('GET /v1/users/:id', 'cursor', '404 not_found', to => to.cursor),
  elsewhere('GET /v1/users/:id', 'challenge', '404 not_found', to => to.challenge),
  elsewhere('GET /v1/users/:id', 'app id', '404 not_found', to => to.app.id),
  { route: 'GET /v1/usage', own: '200' },
  { route: 'GET /v1/events', own: '200', what: async () => ({ path: '/v1/events?after=0' }) },
  elsewhere('GET /v1/events', 'cursor of revocations', '400 invalid_request', to => to.revocations),
  { route: 'GET /v1/revocations', own: '200' },
  {
    route: 'GET /v1/revocations',
    sent: 'cursor',
    own: '200',
    mode: '400 invalid_request',
    app: '400 invalid_request',
    what: async ({ to }) => ({ path: `/v1/revocations?after=${to.revocations}` }),
  },
  elsewhere('GET /v1/revocations', 'cursor of users', '400 invalid_request', to => to.cursor),
  { route: 'GET /v1/app', own: '200' },
  {
    route: 'POST /v1/enroll',
    sent: 'challenge',
    own: '201',
    mode: INVALID,
    app: INVALID,
    what: async cell => ({
      json: { ...newcomer(), challenge_id: await challengeOf(cell), descriptors: [unknownFace()] },
    }),
  },
  {
    route: 'POST /v1/enroll',
    sent: 'email',
    own: '409 email_taken',
    mode: '201',
    app: '201',
    what: async cell => {
      const { email } = one(cell);
      return {
        json: { consent, email, challenge_id: await ownChallenge(cell), descriptors: [unknownFace()] },
      };
    },
  },
  {
    route: 'POST /v1/enroll',
    sent: 'face',
    own: '409 face_already_enrolled',
    mode: '201',
    app: '201',
    what: async cell => ({
      json: { ...newcomer(), challenge_id: await ownChallenge(cell), descriptors: face(one(cell)) },
    }),
  },
  { route: 'POST /v1/me/logout', own: '204', who: ({ run, by, to }) => session(run, by ?? to) },
  {
    route: 'DELETE /v1/users/:id',
    sent: 'user id',
    own: '204',
    mode: '404 not_found',
    app: '404 not_found',
    what: async cell => {
      const { id } = cell.by === cell.to ? await cell.fresh() : one(cell);
      return { path: `/v1/users/${id}` };
    },
  },
  { route: 'DELETE /v1/me', own: '204', who: freshToken },
];
