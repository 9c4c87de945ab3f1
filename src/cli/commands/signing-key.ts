/** `signing-key …`: the keys that sign user tokens. */
import { iso } from '../../domain/time.ts';
import { rotateSigningKey } from '../../domain/tokens/rotation.ts';
import { statusOf } from '../../domain/tokens/signing-keys.ts';
import type { SigningKeyRecord } from '../../ports/store.ts';
import { type Command, CommandFailed } from '../command.ts';
import { table } from '../table.ts';
import { withAdmin } from '../with-admin.ts';

export const SIGNING_KEY_COMMANDS: readonly Command[] = [
  {
    name: 'signing-key list',
    usage: '',
    about: 'Lists the published signing keys.',
    words: [],
    options: {},
    run: invocation =>
      withAdmin(invocation, async ({ store, clock }) => {
        const now = clock.now();
        const keys = await store.signingKeys(now);
        const views = keys.map(key => ({
          kid: key.kid,
          status: statusOf(key, keys, now),
          created_at: iso(key.createdAt),
        }));
        const rows = views.map(key => [key.kid, key.status, key.created_at]);
        return { json: { keys: views }, text: table([['KEY ID', 'STATUS', 'CREATED'], ...rows]) };
      }),
  },
  {
    name: 'signing-key rotate',
    usage: '[--now] [--revoke-old]',
    about:
      'Replaces the signing key: the new one is published for 10 minutes before it signs, the old one for 24 hours after. --now signs with it at once; --revoke-old, after a theft, also invalidates every token signed so far.',
    words: [],
    options: { now: { type: 'boolean' }, 'revoke-old': { type: 'boolean' } },
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
        return { json: { kid }, text: `new signing key ${kid}\nsigns from ${iso(signsAt)}` };
      });
    },
  },
];

function tooSoon(keys: readonly SigningKeyRecord[]): CommandFailed {
  const leaves = keys.find(key => key.leavesAt !== null)?.leavesAt;
  const when = leaves ? `after ${iso(leaves)}` : 'later';
  return new CommandFailed(
    `two signing keys are published already: rotate again ${when}, when the older one has left, or use --revoke-old after a theft`,
  );
}
