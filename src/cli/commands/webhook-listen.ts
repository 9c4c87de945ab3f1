/**
 * `webhook listen`: forwards the events of an app and mode to a program under development, as a webhook would. It reads
 * the database itself, so it needs neither a key nor a webhook. Held by test/cli/webhook-listen.test.ts.
 */
import { networkInterfaces } from 'node:os';
import { findApp } from '../../domain/operating/apps.ts';
import { type Delivery, forwarding } from '../../domain/operating/webhook-listening.ts';
import { newSecret } from '../../domain/webhooks/signature.ts';
import { deliveryView } from '../../operations/views.ts';
import type { Mode } from '../../protocol/mode.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../protocol/portal/webhook-fields.ts';
import { APP_OPTION, type Command, MODE_OPTION, required, WrongUsage } from '../command.ts';
import { follow, type Shown } from '../follow.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

const SHOWN: Shown<Delivery> = {
  columns: { TIME: 23, TYPE: 20, EVENT: 29, STATUS: 0 },
  cellsOf: ({ at, type, eventId, status, error, durationMs }) => [
    when(at),
    type,
    eventId,
    `${status ?? error} in ${durationMs} ms`,
  ],
  view: deliveryView,
  name: 'events',
};

export const WEBHOOK_LISTEN: Command = {
  name: 'webhook listen',
  about:
    'Forwards events to a program under development, from now on, until SIGINT. First it prints the secret that signs them, then a line for each event, which is sent once; with --json one JSON object per line. The address may be on this machine. It reads the database, beside a running server or without one.',
  options: {
    app: { ...APP_OPTION, isRequired: true },
    mode: { ...MODE_OPTION, meaning: 'What happens with live or with test keys.', isRequired: true },
    'forward-to': {
      type: 'string',
      value: 'URL',
      meaning: 'Where to send them: an address of this machine, or one that a webhook may have.',
      isRequired: true,
    },
    event: {
      type: 'string',
      value: 'T',
      multiple: true,
      values: WEBHOOK_EVENTS,
      meaning: 'Only events of this type, such as user.deleted. Without it: all.',
    },
  },
  examples: ['webhook listen --app APP_ID --mode test --forward-to http://localhost:3000/hooks'],
  run: invocation =>
    withAdmin(invocation, async deps => {
      const url = required(invocation, 'forward-to');
      const gallery = { appId: required(invocation, 'app'), mode: required(invocation, 'mode') as Mode };
      const events = (invocation.options.event ?? ['*']) as readonly WebhookEvent[];
      await findApp(deps, gallery.appId);
      const { webhookSender } = await import('../../service/webhooks.ts');
      const { webhookAllow } = invocation.config();
      const sender = webhookSender({ webhookAllow: [...webhookAllow, ...ownAddresses()], host: '127.0.0.1' });
      const fault = await sender.addressFault(url);
      if (fault !== null) throw new WrongUsage(`--forward-to ${fault}; use: ${invocation.usage}`);
      const secret = newSecret(deps.random);
      const added = await forwarding(deps, sender, gallery, { url, events, secret });
      const head = { secret: secret.secret, forward_to: url };
      invocation.print(invocation.json ? JSON.stringify(head) : `secret: ${head.secret}`);
      await follow(invocation, SHOWN, [], added);
      await sender.close();
      return null;
    }),
};

/** As networks of one address. */
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((faces = []) =>
    faces.map(({ address, family }) => `${address}/${family === 'IPv4' ? 32 : 128}`),
  );
