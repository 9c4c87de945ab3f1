/** From the server of an app: what happened to its users, and which tokens are no longer good. */

import { readEvents, readRevocations } from '../../domain/feeds/feeds.ts';
import { limitSecretKey } from '../../domain/limits/request-limits.ts';
import { sentEvent } from '../../domain/sent-event.ts';
import type { Revocation } from '../../ports/store.ts';
import * as answers from '../../protocol/answers.ts';
import { eventsQuery, revocationsQuery } from '../../protocol/queries.ts';
import { iso } from '../../protocol/time.ts';
import { secret } from '../guards.ts';
import { type Route, route } from '../route.ts';

export const feeds: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/events',
    guard: secret,
    schema: { query: eventsQuery },
    limits: [limitSecretKey],
    describe: {
      id: 'listEvents',
      tag: 'Feeds',
      summary: 'Read what happened',
      text:
        'In the order of `seq`. Whoever has read up to a `seq` never finds a smaller new one. When a user is deleted, ' +
        'their events leave the feed, and `user.deleted` comes.',
      answers: { 200: { text: 'Events.', schema: answers.eventPage } },
    },
    handler: async ({ deps, caller, query: { wait: seconds, ...query }, gone }) => {
      const page = await readEvents(deps, caller, query, { seconds, gone: gone() });
      const events = page.events.map(event => sentEvent(caller.gallery, event));
      return { status: 200, body: { events, next_after: page.nextAfter, oldest: page.oldest } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/revocations',
    guard: secret,
    schema: { query: revocationsQuery },
    limits: [limitSecretKey],
    describe: {
      id: 'listRevocations',
      tag: 'Feeds',
      summary: 'Read which tokens are revoked',
      text:
        'For servers that verify tokens themselves. Without `after`, everything that a token may still meet. An entry ' +
        'leaves five minutes after the last token that it names has ended, for verifiers whose clocks are behind.',
      answers: { 200: { text: 'Revocations.', schema: answers.revocationPage } },
    },
    handler: async ({ deps, caller, query: { after, wait: seconds }, gone }) => {
      const page = await readRevocations(deps, caller, after, { seconds, gone: gone() });
      const { nextAfter: next_after, asOf } = page;
      return {
        status: 200,
        body: { revocations: page.revocations.map(shown), next_after, as_of: iso(asOf) },
      };
    },
  }),
];

function shown(one: Revocation): object {
  const expires_at = iso(one.expiresAt);
  if (one.kind === 'token') return { kind: one.kind, jti: one.jti, expires_at };
  const whose = one.kind === 'user' ? { user_id: one.userId } : {};
  return { kind: one.kind, ...whose, issued_before: iso(one.issuedBefore), expires_at };
}
