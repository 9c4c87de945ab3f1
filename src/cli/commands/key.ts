/** `key …`: creates, lists and revokes API keys. */
import { createKey, listKeys, revokeKey } from '../../domain/operating/keys.ts';
import { MODES } from '../../protocol/mode.ts';
import { keyView, madeKeyView } from '../../protocol/operating.ts';
import { type Command, required, requiredOneOf } from '../command.ts';
import { APP_OPTION } from '../filters.ts';
import { listing, table } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key create',
    usage: '--app ID --type secret|publishable --mode live|test [--label L]',
    about: 'Creates a key and shows it once.',
    words: [],
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
      const { key, record } = await withAdmin(invocation, deps => createKey(deps, appId, type, mode, notes));
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
    words: [],
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
        key.revokedAt === null ? '' : { text: when(key.revokedAt), colour: 'yellow' as const },
      ]);
      const text =
        keys.length === 0
          ? `no keys yet: create one with "key create --app ${appId} --type publishable --mode live"`
          : listing(['ID', 'TYPE', 'MODE', 'KEY', 'CREATED', 'REVOKED'], rows, invocation.paint);
      return { json: { keys: keys.map(keyView) }, text };
    },
  },
  {
    name: 'key revoke',
    usage: 'KEY_ID',
    about: 'Revokes a key. A running server rejects it at once.',
    words: ['KEY_ID'],
    options: {},
    examples: ['key revoke KEY_ID'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      await withAdmin(invocation, deps => revokeKey(deps, id));
      return { json: { revoked: true }, text: `revoked ${id}` };
    },
  },
];
