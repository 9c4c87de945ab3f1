/** Every route of the API: read it as the security table. */
import {
  confirmEmailBody,
  enrollBody,
  matchBody,
  newEmailBody,
  renameBody,
  requestCodeBody,
  verifyCodeBody,
  verifyTokenBody,
} from '../protocol/bodies.ts';
import { BODY_BYTES, ENROLL_BODY_BYTES } from '../protocol/limits.ts';
import { usageQuery, usersQuery } from '../protocol/queries.ts';
import { getApp } from './handlers/app.ts';
import { postChallenge } from './handlers/challenges.ts';
import { postEmailCode, postVerifyCode } from './handlers/email-codes.ts';
import { postEnroll } from './handlers/enroll.ts';
import { getHealth } from './handlers/health.ts';
import { getJwks } from './handlers/jwks.ts';
import { postMatch } from './handlers/match.ts';
import {
  confirmMyEmail,
  confirmMyFace,
  deleteMe,
  getMe,
  logOut,
  patchMe,
  postMyEmail,
  postMyTemplates,
} from './handlers/me.ts';
import { getUsage } from './handlers/usage.ts';
import { deleteOneUser, getOneUser, getUsers } from './handlers/users.ts';
import { postVerifyToken } from './handlers/verify-token.ts';
import { openApiRoute } from './openapi/route.ts';
import { type Route, route } from './route.ts';

const bytes = BODY_BYTES;

// biome-ignore format: one row a route, so that it reads as a table
const table: readonly Route[] = [
  route({ method: 'POST', path: '/v1/challenges',         guard: 'publishable', limit: 'address',    body: null,            bytes, handle: postChallenge }),
  route({ method: 'POST', path: '/v1/enroll',             guard: 'publishable', limit: 'address',    body: enrollBody,      bytes: ENROLL_BODY_BYTES, handle: postEnroll }),
  route({ method: 'POST', path: '/v1/match',              guard: 'publishable', limit: 'address',    body: matchBody,       bytes, handle: postMatch }),
  route({ method: 'POST', path: '/v1/email-codes',        guard: 'publishable', limit: 'code-requests', body: requestCodeBody, bytes, handle: postEmailCode }),
  route({ method: 'POST', path: '/v1/email-codes/verify', guard: 'publishable', limit: 'code-verifies', body: verifyCodeBody,  bytes, handle: postVerifyCode }),
  route({ method: 'GET',  path: '/v1/me',                 guard: 'user',        limit: 'user',       body: null,            bytes, handle: getMe }),
  route({ method: 'PATCH', path: '/v1/me',                guard: 'user',        limit: 'user',       body: renameBody,      bytes, handle: patchMe }),
  route({ method: 'DELETE', path: '/v1/me',               guard: 'user',        limit: 'user',       body: null,            bytes, handle: deleteMe }),
  route({ method: 'POST', path: '/v1/me/email',           guard: 'user',        limit: ['user', 'code-requests'], body: newEmailBody,    bytes, handle: postMyEmail }),
  route({ method: 'POST', path: '/v1/me/email/confirm',   guard: 'user',        limit: ['user', 'code-verifies'], body: confirmEmailBody, bytes, handle: confirmMyEmail }),
  route({ method: 'POST', path: '/v1/me/face/confirm',    guard: 'user',        limit: 'user',       body: null,            bytes, handle: confirmMyFace }),
  route({ method: 'POST', path: '/v1/me/templates',       guard: 'user',        limit: 'user',       body: matchBody,       bytes, handle: postMyTemplates }),
  route({ method: 'POST', path: '/v1/me/logout',          guard: 'session',     limit: 'user',       body: null,            bytes, handle: logOut }),
  route({ method: 'POST', path: '/v1/tokens/verify',      guard: 'secret',      limit: 'secret-key', body: verifyTokenBody, bytes, handle: postVerifyToken }),
  route({ method: 'GET',  path: '/v1/users',              guard: 'secret',      limit: 'secret-key', body: null, query: usersQuery, bytes, handle: getUsers }),
  route({ method: 'GET',  path: '/v1/users/:id',          guard: 'secret',      limit: 'secret-key', body: null,            bytes, handle: getOneUser }),
  route({ method: 'DELETE', path: '/v1/users/:id',        guard: 'secret',      limit: 'secret-key', body: null,            bytes, handle: deleteOneUser }),
  route({ method: 'GET',  path: '/v1/usage',              guard: 'secret',      limit: 'secret-key', body: null, query: usageQuery, bytes, handle: getUsage }),
  route({ method: 'GET',  path: '/v1/app',                guard: 'secret',      limit: 'secret-key', body: null,            bytes, handle: getApp }),
  route({ method: 'GET',  path: '/health',                guard: 'open',        limit: null,         body: null,            bytes, handle: getHealth }),
  route({ method: 'GET',  path: '/.well-known/jwks.json', guard: 'open',        limit: null,         body: null,            bytes, handle: getJwks }),
];

/** The table, and the route that describes it. */
export const ROUTES: readonly Route[] = [...table, openApiRoute(table)];
