/** Webhooks. */
import type { Table } from './rule.ts';

// biome-ignore format: one line a row
export const webhooks: Table = {
  'src/domain/webhooks/README.md#delivery': {
    'webhooks.once-recorded webhooks.in-order': 'webhooks/delivering › each event arrives once, in order',
    'webhooks.signed': ['domain/webhooks › the signature is that | a secret has 32 bytes', 'webhooks/delivering › each event arrives once, in order'],
    'webhooks.tried-again': ['domain/webhooks › pauses grow to a day', 'webhooks/delivering › a failed event is tried'],
    'webhooks.holds-back-none': 'webhooks/delivering › a failed event is tried',
    'webhooks.four-at-once': 'webhooks/delivering › a stopped service loses nothing',
    'webhooks.stopped-loses-none': 'webhooks/delivering › a stopped service loses nothing',
    'webhooks.erased-not-sent': ['webhooks/delivering › what waits for a person', 'contract/sqlite › SQLite: what waits goes with its user'],
    'webhooks.disabled': 'webhooks/delivering › an answer 410 disables',
    'webhooks.dropped-noted': 'contract/sqlite › SQLite: disabled, what waits is dropped',
    'webhooks.sealed': 'contract/sqlite › SQLite: a webhook is kept as it was made',
    'webhooks.at-most': 'contract/sqlite › SQLite: at most so many an app',
  },
  'src/domain/webhooks/README.md#where-webhooks-may-go': {
    'webhooks.addresses': 'webhooks/addresses › a URL is refused with its reason',
    'webhooks.names': 'webhooks/addresses › a name is judged by all its addresses',
    'webhooks.connected-address': 'webhooks/addresses › nothing is sent to a refused address',
    'webhooks.answers': 'webhooks/answers › each answer has its outcome, in a command | each answer has its outcome, in a service',
    'webhooks.tls': 'webhooks/answers › a certificate is verified whatever',
  },
  'src/cli/README.md#webhooks': {
    'webhooks.ten': 'portal/internal/webhooks › of 20 made at once ten are taken',
    'webhooks.fields': ['portal/internal/webhooks › a wrong field is named with its', 'cli/refusals › wrong fields: the option'],
    'webhooks.operator-disabled webhooks.disabled-replay': 'portal/internal/webhooks › one is disabled by an operator',
    'webhooks.test': ['portal/internal/webhooks › a test is one attempt, answered', 'cli/webhooks › a test that fails: its delivery'],
    'webhooks.roll': 'portal/internal/webhooks › a rolled secret signs for another',
    'webhooks.rolls-at-once': 'portal/internal/webhooks › of many rolls at once two secrets',
    'webhooks.replay': 'portal/internal/webhooks › events are sent again: one of any',
    'webhooks.commands': 'cli/webhooks › beside a running server: made by | changes: the list of types is',
    'webhooks.listen': 'cli/webhook-listen › for people: the secret first | --json: the secret first',
  },
};
