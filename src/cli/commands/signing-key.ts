/** `signing-key …`: lists and rotates the keys that sign user tokens. */

import { listSigningKeys, rotate } from '../../domain/operating/signing-keys.ts';
import { signingKeyView } from '../../operations/views.ts';
import { audited } from '../audited.ts';
import type { Command } from '../command.ts';
import { listing } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const SIGNING_KEY_COMMANDS: readonly Command[] = [
  {
    name: 'signing-key list',
    usage: '',
    about: 'Lists the published signing keys.',
    examples: ['signing-key list'],
    run: async invocation => {
      const keys = await withAdmin(invocation, listSigningKeys);
      const rows = keys.map(({ kid, status, createdAt }) => [kid, status, when(createdAt)]);
      const text =
        keys.length === 0
          ? 'no signing key yet: the first start of the service creates one'
          : listing(['KEY ID', 'STATUS', 'CREATED'], rows, invocation.paint);
      return { json: { keys: keys.map(signingKeyView) }, text };
    },
  },
  {
    name: 'signing-key rotate',
    usage: '[--now] [--revoke-old]',
    about:
      'Replaces the signing key. The new key is published for 10 minutes before it signs; the old one stays published for 24 hours. --now signs with the new key at once. --revoke-old, after a theft, also invalidates every token signed so far.',
    options: {
      now: {
        type: 'boolean',
        meaning: 'Sign with the new key at once, even if verifiers may not have fetched it yet.',
      },
      'revoke-old': {
        type: 'boolean',
        meaning: 'After a theft: remove all older keys and invalidate every token signed so far.',
      },
    },
    examples: ['signing-key rotate', 'signing-key rotate --revoke-old'],
    run: async invocation => {
      const options = {
        now: invocation.options.now === true,
        revokeOld: invocation.options['revoke-old'] === true,
      };
      const { kid, signsAt } = await withAdmin(invocation, deps =>
        audited(deps, { action: 'signing-key.rotate' }, to => rotate(to, options)),
      );
      return { json: { kid }, text: `new signing key ${kid}\nsigns from ${when(signsAt)}` };
    },
  },
];
