/** `key …`: creates, lists and revokes API keys. */

import { newId } from '../../domain/ids.ts';
import { createKey, findKey, listKeys, ROLL_ENDS, revokeKey, rollKey } from '../../domain/operating/keys.ts';
import { keyView, madeKeyView } from '../../operations/views.ts';
import { MODES } from '../../protocol/mode.ts';
import { isoOrNull } from '../../protocol/time.ts';
import { audited } from '../audited.ts';
import { type Command, required, requiredOneOf } from '../command.ts';
import { APP_OPTION } from '../filters.ts';
import { listing, table } from '../table.ts';
import { harmless, when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

/** In the order of ROLL_ENDS. */
const ENDS = ['0', '1h', '24h', '7d'] as const;

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key create',
    usage: '--app ID --type secret|publishable --mode live|test [--label L]',
    about: 'Creates a key and shows it once.',
    options: {
      app: APP_OPTION,
      type: {
        type: 'string',
        values: ['secret', 'publishable'],
        meaning: 'secret: for servers; publishable: for pages.',
      },
      mode: {
        type: 'string',
        values: MODES,
        meaning: 'live: real users; test: free, limited, erased after 30 days.',
      },
      label: { type: 'string', value: 'L', meaning: 'What you call the key: up to 100 characters.' },
    },
    examples: [
      'key create --app APP_ID --type publishable --mode live',
      'key create --app APP_ID --type secret --mode test --json',
    ],
    run: async invocation => {
      const appId = required(invocation, 'app');
      const type = requiredOneOf(invocation, 'type', ['secret', 'publishable']);
      const mode = requiredOneOf(invocation, 'mode', MODES);
      const { label } = invocation.options;
      const notes = typeof label === 'string' ? { label } : {};
      const { key, record } = await withAdmin(invocation, deps => {
        const id = newId(deps.random, 'key');
        const action = { action: 'key.create', target: id, appId };
        return audited(deps, action, to => createKey(to, appId, type, mode, { ...notes, id }));
      });
      return {
        json: madeKeyView(key, record),
        text: `${table([
          ['id', record.id],
          ['key', key],
        ])}\nKeep the key now: it is not shown again.`,
      };
    },
  },
  {
    name: 'key list',
    usage: '--app ID',
    about: "Lists an app's keys by their last four characters.",
    options: { app: APP_OPTION },
    examples: ['key list --app APP_ID'],
    run: async invocation => {
      const appId = required(invocation, 'app');
      const keys = await withAdmin(invocation, deps => listKeys(deps, appId));
      const rows = keys.map(key => [
        key.id,
        key.type,
        key.mode,
        `…${key.last4}`,
        when(key.createdAt),
        when(key.lastUsedAt),
        endOf(key),
        harmless(key.label ?? ''),
      ]);
      const text =
        keys.length === 0
          ? `no keys yet: create one with "key create --app ${appId} --type publishable --mode live"`
          : listing(
              ['ID', 'TYPE', 'MODE', 'KEY', 'CREATED', 'LAST USED', 'END', 'LABEL'],
              rows,
              invocation.paint,
            );
      return { json: { keys: keys.map(keyView) }, text };
    },
  },
  {
    name: 'key roll',
    usage: 'KEY_ID [--ends-in 0|1h|24h|7d]',
    about:
      'Replaces a key by a new one of the same app, type and mode, and shows the new one once. Both work until the old one ends.',
    words: ['KEY_ID'],
    options: {
      'ends-in': {
        type: 'string',
        values: ENDS,
        default: '24h',
        meaning: 'When the old key ends; 0: at once.',
      },
    },
    examples: ['key roll KEY_ID', 'key roll KEY_ID --ends-in 0 --json'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      const at = ENDS.indexOf(requiredOneOf(invocation, 'ends-in', ENDS));
      const { key, record, old } = await withAdmin(invocation, async deps => {
        const { appId } = await findKey(deps, id);
        const action = { action: 'key.roll', target: id, appId };
        return audited(deps, action, to => rollKey(to, id, ROLL_ENDS[at] ?? 0));
      });
      return {
        json: { ...madeKeyView(key, record), old: { id: old.id, ends_at: isoOrNull(old.endsAt) } },
        text: `${table([
          ['id', record.id],
          ['key', key],
          ['old key ends', when(old.endsAt)],
        ])}\nKeep the key now: it is not shown again.`,
      };
    },
  },
  {
    name: 'key revoke',
    usage: 'KEY_ID',
    about: 'Revokes a key. A running server rejects it at once.',
    words: ['KEY_ID'],
    examples: ['key revoke KEY_ID'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      await withAdmin(invocation, async deps => {
        const { appId } = await findKey(deps, id);
        await audited(deps, { action: 'key.revoke', target: id, appId }, to => revokeKey(to, id));
      });
      return { json: { revoked: true }, text: `revoked ${id}` };
    },
  },
];

/** When a key was revoked, or ends. */
function endOf({
  revokedAt,
  endsAt,
}: Awaited<ReturnType<typeof listKeys>>[number]): string | { text: string; colour: 'yellow' } {
  const end = revokedAt ?? endsAt;
  if (end === null) return '';
  return { text: `${end <= Date.now() ? 'ended' : 'ends'} ${when(end)}`, colour: 'yellow' };
}
