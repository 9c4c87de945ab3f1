/**
 * Disables webhooks that fail: at once after an answer 410, or when every attempt has failed for four days. The owners
 * of the team hear of it. Held by test/domain/webhooks.test.ts.
 */
import type { Mailer, Message } from '../../ports/mailer.ts';
import type { AppRecord, Store, WebhookRecord } from '../../ports/store.ts';
import { DAY, MAIL_PATIENCE } from '../../protocol/limits.ts';
import { utcDay } from '../../protocol/time.ts';

export const FAILING_FOR = 4 * DAY;

export interface DisablingDeps {
  readonly store: Pick<Store, 'listWebhooks' | 'disableWebhook' | 'findApp' | 'listMembers'>;
  readonly clock: { now(): number };
  /** Null: email is not configured. */
  readonly mailer?: Pick<Mailer, 'send'> | null | undefined;
}

/** Disables a webhook for the service. */
export async function disableFailing(
  deps: DisablingDeps,
  id: string,
  reason: 'failing' | 'gone',
): Promise<void> {
  const now = deps.clock.now();
  const webhook = await deps.store.disableWebhook(id, reason, now);
  // Not if somebody else was first.
  if (webhook?.disabledAt === now && webhook.disabledReason === reason) await tellOwners(deps, webhook);
}

/** Disables all that have failed for too long. @returns how many */
export async function disableAllFailing(deps: DisablingDeps): Promise<number> {
  const before = deps.clock.now() - FAILING_FOR;
  const failing = (await deps.store.listWebhooks('all')).filter(
    ({ disabledAt, failingSince }) => disabledAt === null && failingSince !== null && failingSince <= before,
  );
  for (const { id } of failing) await disableFailing(deps, id, 'failing');
  return failing.length;
}

async function tellOwners({ store, mailer }: DisablingDeps, webhook: WebhookRecord): Promise<void> {
  const app = mailer && (await store.findApp(webhook.gallery.appId));
  if (!app) return;
  for (const { operator, role } of await store.listMembers(app.teamId))
    if (role === 'owner' && operator.disabledAt === null)
      // It stands in health, too.
      await mailer
        .send(disabledMessage(operator.email, app, webhook), AbortSignal.timeout(MAIL_PATIENCE))
        .catch(() => undefined);
}

/** The address of a webhook may contain a secret: only its host is named. */
function disabledMessage(
  to: string,
  { name }: Pick<AppRecord, 'name'>,
  { id, url, gallery, disabledReason, failingSince }: WebhookRecord,
): Message {
  const why =
    disabledReason === 'gone'
      ? 'Its server answered 410, which means that it wants no more events.'
      : `Every attempt has failed since ${utcDay(failingSince ?? 0)} (UTC).`;
  return {
    to,
    subject: `A webhook of ${name} was disabled`,
    text: `The webhook ${id} of ${name} (${gallery.mode} mode), to ${new URL(url).host}, was disabled.
${why}

Events that were waiting for it are not sent any more. Fix the server, then enable the webhook in the
portal or with "webhook update ${id} --enable". What happened meanwhile can be sent again with
"webhook replay ${id} --since TIME", up to 7 days back.
`,
  };
}
