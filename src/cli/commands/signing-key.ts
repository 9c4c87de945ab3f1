/** `signing-key …`: lists and rotates the keys that sign user tokens. */

import { rotate } from '../../domain/operating/signing-keys.ts';
import { audited } from '../audited.ts';
import type { Command } from '../command.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const SIGNING_KEY_ROTATE: Command = {
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
};
