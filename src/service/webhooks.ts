/** Makes the sender of webhooks for the settings, and delivers while a service runs. */
import type { Logger } from 'pino';
import { createTargets } from '../adapters/webhooks/targets.ts';
import { createThreadedSender } from '../adapters/webhooks/threaded-sender.ts';
import type { Config } from '../config.ts';
import { deliverWebhooks, type SendingDeps } from '../domain/webhooks/sending.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import { isLoopback } from '../settings/values.ts';
import { VERSION } from '../version.ts';

/** How often it is asked whether another node still delivers. */
const LEASE_MS = 5_000;
/** How long another node waits for this one when it dies. */
const LEASE_LENGTH_MS = 15_000;

const partsOf = ({ webhookAllow, host }: Pick<Config, 'webhookAllow' | 'host'>) => {
  const data = {
    settings: { allowed: webhookAllow, allowsLoopback: isLoopback(host) },
    userAgent: `face-sign-in/${VERSION}`,
  };
  return [createTargets(data.settings), data] as const;
};

/** For commands. Its library takes time to load, and most need none. */
export function webhookSender(config: Pick<Config, 'webhookAllow' | 'host'>): WebhookSender {
  const [targets, { userAgent }] = partsOf(config);
  let sender: Promise<WebhookSender> | null = null;
  return {
    addressFault: targets.faultOf,
    async send(request) {
      sender ??= import('../adapters/webhooks/sender.ts').then(it => it.createSender(targets, userAgent));
      return (await sender).send(request);
    },
    close: async () => (await sender)?.close(),
  };
}

/** For a service. */
export const threadedWebhookSender = (config: Pick<Config, 'webhookAllow' | 'host'>): WebhookSender =>
  createThreadedSender(...partsOf(config));

export interface Delivering {
  /** Delivers if there are webhooks and no other node does it; for as long as there are. */
  look(): Promise<void>;
  /** Lets requests end, and records them. */
  stop(): Promise<void>;
}

export function createDelivering(
  deps: Omit<SendingDeps, 'watch'> & { readonly store: Pick<Store, 'alone'> },
  attempted: SendingDeps['watch']['attempted'],
  log: Pick<Logger, 'error'>,
): Delivering {
  const failed = (error: unknown) => log.error({ cause: String(error) }, 'webhooks');
  const sending = { ...deps, watch: { attempted, failed } };
  const stopping = new AbortController();
  let triedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    if (performance.now() - triedAt < LEASE_MS) return;
    if ((await deps.store.webhookNews()).length === 0 || stopping.signal.aborted) return;
    const isDone = await deps.store.alone(
      'webhooks',
      async lost => {
        await deliverWebhooks(sending, lost, stopping.signal);
        return true;
      },
      LEASE_LENGTH_MS,
    );
    if (!isDone) triedAt = performance.now();
  }

  return {
    look: () => {
      const looking = look();
      running = looking.catch(() => undefined);
      return looking;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
