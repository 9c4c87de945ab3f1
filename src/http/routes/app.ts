/** From the server of an app: its tokens, its numbers, itself. */
import * as v from 'valibot';
import { limitSecretKey } from '../../domain/limits/request-limits.ts';
import { verifyToken } from '../../domain/tokens/user-token.ts';
import { usageOf } from '../../domain/usage.ts';
import * as answers from '../../protocol/answers.ts';
import { fields, text } from '../../protocol/fields.ts';
import { usageQuery } from '../../protocol/queries.ts';
import { viewOf } from '../../protocol/view.ts';
import { secret } from '../guards.ts';
import { type Route, route } from '../route.ts';

const token = v.pipe(
  text,
  v.nonEmpty('must not be empty'),
  v.description('The user token that the browser received.'),
);

export const verification: Route = route({
  method: 'POST',
  path: '/v1/tokens/verify',
  guard: secret,
  schema: { body: fields({ token }) },
  limits: [limitSecretKey],
  describe: {
    id: 'verifyToken',
    tag: 'App',
    summary: 'Verify a user token',
    text: 'Unlike offline verification, this notices revoked tokens and deleted users.',
    answers: {
      200: { text: 'The claims of a valid token, or why it was rejected.', schema: answers.verdict },
    },
  },
  handler: async ({ deps, caller, body }) => {
    return { status: 200, body: await verifyToken(deps, caller, body.token) };
  },
});

const counts = viewOf(answers.usage);

export const usage: Route = route({
  method: 'GET',
  path: '/v1/usage',
  guard: secret,
  schema: { query: usageQuery },
  limits: [limitSecretKey],
  describe: {
    id: 'getUsage',
    tag: 'App',
    summary: 'Get the usage of a month',
    answers: { 200: { text: 'The counts of the month.', schema: answers.usage } },
  },
  handler: async ({ deps, caller, query }) => {
    const livemode = caller.gallery.mode === 'live';
    const month = await usageOf(deps, caller, query.month);
    return { status: 200, body: counts({ ...month, livemode }) };
  },
});

export const ownApp: Route = route({
  method: 'GET',
  path: '/v1/app',
  guard: secret,
  schema: {},
  limits: [limitSecretKey],
  describe: {
    id: 'getApp',
    tag: 'App',
    summary: 'Get the app',
    answers: { 200: { text: 'The app.', schema: answers.app } },
  },
  handler: async ({ caller: { app } }) => {
    return { status: 200, body: { id: app.id, name: app.name } };
  },
});
