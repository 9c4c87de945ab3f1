/** Webhooks in trouble, for `/health`. Held by test/health/webhooks.test.ts. */
import { MINUTE } from '../protocol/limits.ts';
import { CLI } from '../typed.ts';
import { type Found, named } from './safety.ts';
import type { WebhookState } from './states.ts';

/** A single failure is tried again. */
const FAILING_MS = 10 * MINUTE;

/** Those that an operator has disabled are none. */
export function webhookProblems({
  at,
  webhooks: state,
}: {
  readonly at: number;
  readonly webhooks: WebhookState | null;
}): Found[] {
  const { webhooks = [] } = state ?? {};
  const since = ({ disabledAt, disabledReason, failingSince }: WebhookState['webhooks'][number]) => ({
    disabled: disabledReason === 'operator' ? null : disabledAt,
    failing:
      disabledAt === null && failingSince !== null && failingSince <= at - FAILING_MS ? failingSince : null,
  });
  return (['failing', 'disabled'] as const).flatMap((kind): Found[] => {
    const found = webhooks.flatMap(webhook => {
      const moment = since(webhook)[kind];
      const { id, gallery } = webhook;
      return moment === null ? [] : [{ moment, name: `${id} of ${gallery.appId} (${gallery.mode})` }];
    });
    if (found.length === 0) return [];
    return [
      {
        since: Math.min(...found.map(({ moment }) => moment)),
        message: `${MESSAGES[kind]}: ${named(found.map(({ name }) => name))}.`,
        fix: FIXES[kind],
      },
    ];
  });
}

const MESSAGES = {
  failing: 'Webhooks fail, and events wait for them',
  disabled: 'Webhooks were disabled, because they failed for 4 days or their server answered 410',
};
const FIXES = {
  failing: `See what their servers answer with "${CLI} webhook deliveries ID --failed". After 4 days they are disabled.`,
  disabled: `Fix the server and run "${CLI} webhook update ID --enable", or delete the webhook.`,
};
