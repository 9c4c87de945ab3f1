/**
 * `signing-key rotate`: a new key that signs user tokens.
 *
 * `master-secret rotate` and `destroy-old`. Neither can be undone, so both require --yes. The new secret is never an
 * argument, because other users of the machine could read it: it comes from a file or NEW_MASTER_SECRET, or is random.
 */

import { resolve } from 'node:path';
import { rotate } from '../../domain/operating/signing-keys.ts';
import { isMissing } from '../../settings/database.ts';
import { SettingFault, secret } from '../../settings/values.ts';
import { audited, recordDone } from '../audited.ts';
import { type Command, type Invocation, WrongUsage } from '../command.ts';
import { readOptionFile } from '../option-file.ts';
import { when } from '../text.ts';
import { requireDatabase, withAdmin } from '../with-admin.ts';

export const SIGNING_KEY_ROTATE: Command = {
  name: 'signing-key rotate',
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

const MAKE = `openssl rand -base64 32 | tr '+/' '-_' | tr -d =`;
const NOT_YET =
  'Older backups need the old secret: keep a copy of it as long as you keep them, in another place. If the old secret was stolen, run "app rekey --all" now: until then the keys that encrypt templates, personal fields and signing keys stay the same.';

export const MASTER_SECRET_COMMANDS: readonly Command[] = [
  {
    name: 'master-secret rotate',
    about: [
      'Replaces the master secret while the server keeps running. A random one is generated, unless you give one in FILE or NEW_MASTER_SECRET (32 bytes in base64url). It is written to master.key, and the old one is kept in master.key.old until "master-secret destroy-old".',
      'If MASTER_SECRET holds the current one, stop the server first, give the new one, and start with it. If interrupted, the next start finishes the rotation.',
      'Afterwards the old secret no longer opens the database. If both were stolen, run "app rekey --all" too.',
    ].join(' '),
    options: {
      new: {
        type: 'string',
        value: 'FILE',
        completes: 'file',
        meaning: 'File that contains the new secret.',
      },
      yes: {
        type: 'boolean',
        meaning: 'Required: confirms that the old secret stops working.',
        isRequired: true,
      },
    },
    examples: ['master-secret rotate --yes', 'master-secret rotate --new /root/new-secret --yes'],
    run: async invocation => {
      if (invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required: from then on the database opens with the new secret only; use: ${invocation.usage}`,
        );
      const config = invocation.config();
      const given = newSecret(invocation);
      if (config.masterSecret && !given)
        throw new WrongUsage(
          `the current secret is in MASTER_SECRET, which this command cannot change: generate a new one (${MAKE}) and pass it with --new FILE or NEW_MASTER_SECRET`,
        );
      requireDatabase(invocation);
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const { keys } = await openUpkeep(config, invocation.parts).rotateMaster(given);
      const file = config.masterSecret ? null : config.masterSecretFile;
      await recordDone(withSecret(invocation, file ? null : given), { action: 'master-secret.rotate' });
      const where = file
        ? `The master secret is replaced: ${file} holds the new one, ${file}.old the old one. ${config.database.kind === 'sqlite' ? '' : `Copy ${file} to the DATA_DIR of every other node now: until then they refuse what needs it. `}Copy the new one to where you keep secrets, and make a backup. Then run "master-secret destroy-old --yes".`
        : 'The master secret is replaced: set MASTER_SECRET to the new one before the next start, and for every command from now on.';
      const old = file && `${file}.old`;
      return {
        json: { rotated: true, keys, file, old },
        text: `${where} Keys rewrapped: ${keys}\n${NOT_YET}`,
      };
    },
  },
  {
    name: 'master-secret destroy-old',
    about:
      'Destroys master.key.old, the master secret before the last rotation. Older backups can then be read only with your own copy of it.',
    options: {
      yes: {
        type: 'boolean',
        meaning: 'Required: confirms that you have a copy, or need no older backup.',
        isRequired: true,
      },
    },
    examples: ['master-secret destroy-old --yes'],
    run: async invocation => {
      if (invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required: backups made before the rotation need the old secret; use: ${invocation.usage}`,
        );
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const config = invocation.config();
      const file = await openUpkeep(config, invocation.parts).destroyOldSecret();
      if (!isMissing(config.database)) await recordDone(invocation, { action: 'master-secret.destroy-old' });
      return { json: { destroyed: true, file }, text: `destroyed ${file}` };
    },
  },
];

/** The invocation, once the database opens with another secret than that of the environment. */
function withSecret(invocation: Invocation, masterSecret: Buffer | null): Invocation {
  return masterSecret
    ? { ...invocation, config: () => ({ ...invocation.config(), masterSecret }) }
    : invocation;
}

/** @throws WrongUsage, SettingFault; their messages do not contain the secret */
function newSecret({ env, options, usage }: Invocation): Buffer | null {
  const text = env.NEW_MASTER_SECRET;
  const fromEnvironment = text === undefined || text === '' ? null : secret('NEW_MASTER_SECRET', text);
  if (typeof options.new !== 'string') return fromEnvironment;
  if (fromEnvironment)
    throw new WrongUsage(`pass the new secret with --new or NEW_MASTER_SECRET, not both; use: ${usage}`);
  return fromFile(options.new);
}

function fromFile(path: string): Buffer {
  const text = readOptionFile('new', path).trim();
  try {
    return secret('--new', text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new WrongUsage(
      `--new ${resolve(path)} must contain 32 bytes in base64url and nothing else: generate it with ${MAKE}`,
    );
  }
}
