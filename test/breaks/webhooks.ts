/** Breaks of webhooks. */
import type { Changes } from './break.ts';

// biome-ignore format: one row a break
export const webhooks: Changes = {
  'src/domain/webhooks/line.ts': [
    ['webhooks.four-at-once', 'const AT_ONCE = [-4-]{+5+};'],
    ['webhooks.once-recorded', "if (event) this.#readTo = event.seq[-;-]{+ - 1;+}"],
  ],
  'src/domain/webhooks/schedule.ts': [
    ['webhooks.tried-again', '[-  10 * MINUTE,\n-]  HOUR,'],
    ['webhooks.tried-again', 'const JITTER = [-0.1-]{+0.2+};'],
  ],
  'src/domain/webhooks/signature.ts': [
    ['webhooks.signed', 'const OVERLAP = [-DAY-]{+2 * DAY+};'],
    ['webhooks.signed', 'endsAt [->-]{+<+} now)'],
  ],
  'src/domain/webhooks/sending.ts': [['webhooks.disabled', 'const GONE = [-410-]{+404+};']],
  'src/domain/webhooks/disabling.ts': [['webhooks.disabled', 'FAILING_FOR = [-4-]{+5+} * DAY']],
  'src/adapters/webhooks/addresses.ts': [
    ['webhooks.addresses', "[-  '169.254.0.0/16',\n-]"],
    ['webhooks.addresses', "[-  '100.64.0.0/10',\n-]"],
    ['webhooks.addresses', "'2001:db8::/32', [-'2002::/16', -]"],
    ['webhooks.addresses', "[-'::ffff:0:0/96', -]'64:ff9b::/96'"],
  ],
  'src/adapters/webhooks/targets.ts': [
    ['webhooks.addresses', "if (text.includes('#')) return [-'must not contain a fragment (#…)'-]{+null+};"],
    ['webhooks.addresses', "standing === 'public' && protocol [-!== 'https:'-]{+=== ''+}"],
    ['webhooks.names', 'for (const { address } of addresses[-) check-]{+.slice(1)) check+}(address, protocol);'],
  ],
  'src/adapters/webhooks/sender.ts': [
    ['webhooks.connected-address', 'if (isIP(host){+ === 6+}) targets'],
    ['webhooks.tls', 'rejectUnauthorized: true, [-allowH2-]{+...{ rejectUnauthorized: undefined }, allowH2+}: false };'],
    ['webhooks.answers', 'statusCode >= 200 && statusCode <= [-299-]{+399+}'],
  ],
  'src/adapters/sql/store/dropped-events.ts': [['webhooks.dropped-noted', "types?.includes(type) ?? [-true-]{+false+})"]],
  'src/adapters/sql/store/webhooks.ts': [['webhooks.at-most', "appId, mode)) >[-=-] maximum)"]],
  'src/cli/operations.ts': [['webhooks.commands', '[-      ...wordFields,\n-]']],
  'src/domain/operating/webhook-listening.ts': [['webhooks.listen', '[-after = event.seq;-]']],
  'src/domain/operating/webhooks.ts': [
    ['webhooks.ten', 'const MOST = [-10-]{+11+};'],
    ['webhooks.roll', '=> {+[...+}rolled(before, random, now){+, ...before.slice(1)]+};'],
    ['webhooks.disabled-replay', 'if (disabledAt !== null{+ && since === 0+})'],
    ['webhooks.replay', 'if ([-(eventId === undefined) === (since === undefined)-]{+false+})'],
  ],
  'src/operations/table/rights.ts': [
    ['internal.webhook-of-mode', '[- || webhook.gallery.mode !== mode-]'],
  ],
  'src/operations/webhooks.ts': [['webhooks.test', 'failed: ({ delivery }) => delivery.error [-!==-]{+===+} null']],
  'src/protocol/portal/webhook-fields.ts': [
    ['webhooks.fields', "events.length === 1 || [-!events.includes('*')-]{+true+}"],
  ],
};
