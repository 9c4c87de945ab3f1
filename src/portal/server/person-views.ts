/** How end users and their events are answered. */
import { countersOf } from '../../domain/operating/counters.ts';
import type { EventRecord, UserFile } from '../../ports/store.ts';
import { userView } from '../../protocol/operating.ts';
import { iso } from '../../protocol/time.ts';
import type { PortalDeps } from './deps.ts';

export async function personView(deps: PortalDeps, file: UserFile): Promise<object> {
  const { consent, templates } = file;
  const counters = await countersOf(deps, file);
  return {
    user: userView({ ...file, templateCount: templates.length }),
    consent: consent && {
      policy_version: consent.policyVersion,
      accepted_at: iso(consent.acceptedAt),
      ip: consent.ip,
      user_agent: consent.userAgent,
    },
    templates: templates.map(({ id, origin, createdAt }) => ({ id, origin, created_at: iso(createdAt) })),
    counters: counters.map(({ about, count, endsAt }) => ({ about, count, ends_at: iso(endsAt) })),
  };
}

export function listedEventView({ id, at, type, userId, ip, userAgent }: EventRecord): object {
  return { id, at: iso(at), type, user_id: userId, ip, user_agent: userAgent };
}
