/** `signing-key …`: the keys that sign user tokens. */
import { iso } from '../../domain/time.ts';
import { rotateSigningKey } from '../../domain/tokens/rotation.ts';
import { statusOf } from '../../domain/tokens/signing-keys.ts';
import type { SigningKeyRecord } from '../../ports/store.ts';
import { type Command, CommandFailed } from '../command.ts';
import { listing } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const SIGNING_KEY_COMMANDS: readonly Command[] = [
  {
    name: 'signing-key list',
    usage: '',
    about: 'Lists the published signing keys.',
    words: [],
    options: {},
    examples: ['signing-key list'],
    run: invocation =>
      withAdmin(invocation, async ({ store, clock }) => {
        const now = clock.now();
        const keys = await store.signingKeys(now);
        const views = keys.map(key => ({
          kid: key.kid,
          status: statusOf(key, keys, now),
          created_at: iso(key.createdAt),
        }));
        const rows = views.map((key, i) => [key.kid, key.status, when(keys[i]?.createdAt ?? null)]);
        const text =
          keys.length === 0
            ? 'no signing key yet: the first start of the service makes one'
            : listing(['KEY ID', 'STATUS', 'CREATED'], rows, invocation.paint);
        return { json: { keys: views }, text };
      }),
  },
  {
    name: 'signing-key rotate',
    usage: '[--now] [--revoke-old]',
    about:
      'Replaces the signing key: the new one is published for 10 minutes before it signs, the old one for 24 hours after. --now signs with it at once; --revoke-old, after a theft, also invalidates every token signed so far.',
    words: [],
    options: {
      now: {
        type: 'boolean',
        meaning: 'Sign with the new key at once: verifiers may meet it before they know it.',
      },
      'revoke-old': {
        type: 'boolean',
        meaning: 'After a theft: every older key leaves the set, and every token signed so far is invalid.',
      },
    },
    examples: ['signing-key rotate', 'signing-key rotate --revoke-old'],
    run: async invocation => {
      const wish = {
        now: invocation.options.now === true,
        revokeOld: invocation.options['revoke-old'] === true,
      };
      return withAdmin(invocation, async deps => {
        const kid = await rotateSigningKey(deps, wish);
        const keys = await deps.store.signingKeys(deps.clock.now());
        if (!kid) throw tooSoon(keys);
        const signsAt = keys.find(key => key.kid === kid)?.signsAt ?? deps.clock.now();
        return { json: { kid }, text: `new signing key ${kid}\nsigns from ${when(signsAt)}` };
      });
    },
  },
];

function tooSoon(keys: readonly SigningKeyRecord[]): CommandFailed {
  const leaves = keys.find(key => key.leavesAt !== null)?.leavesAt;
  const moment = leaves ? `after ${when(leaves)}` : 'later';
  return new CommandFailed(
    `two signing keys are published already: rotate again ${moment}, when the older one has left, or use --revoke-old after a theft`,
  );
}
