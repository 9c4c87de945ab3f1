/**
 * `master-secret rotate` and `destroy-old`: neither can be undone, so each wants --yes. The new secret is never an argument, which other users of the machine could read: it comes from a
 * file, from NEW_MASTER_SECRET, or from chance.
 */
import { resolve } from 'node:path';
import { SettingFault, secret } from '../../settings/values.ts';
import { type Command, type Invocation, WrongUsage } from '../command.ts';
import { readOptionFile } from '../option-file.ts';
import { requireDatabase } from '../with-admin.ts';

const MAKE = `openssl rand -base64 32 | tr '+/' '-_' | tr -d =`;
const NOT_YET =
  'Backups from before need the old secret: keep a copy of it as long as they are kept, apart from them. If the old one was stolen, run "app rekey --all" now: templates and signing keys are sealed by the same keys as before until then.';

export const MASTER_SECRET_COMMANDS: readonly Command[] = [
  {
    name: 'master-secret rotate',
    usage: '[--new FILE] --yes',
    about: [
      'Replaces the master secret while the server keeps running. A random one is generated, unless you give one in FILE or NEW_MASTER_SECRET (32 bytes in base64url). It is written to master.key, and the old one is kept in master.key.old until "master-secret destroy-old".',
      'If MASTER_SECRET holds the present one, stop the server first, give the new one, and start with it. If interrupted, the next start finishes the rotation.',
      'It makes an old copy of the secret worthless for later copies of the database. After a theft of both run "app rekey --all" too.',
    ].join(' '),
    words: [],
    options: {
      new: { type: 'string', value: 'FILE', completes: 'file', meaning: 'File that holds the new secret.' },
      yes: { type: 'boolean', meaning: 'Required: you know that copies of the old secret stop working.' },
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
          `the present secret is in MASTER_SECRET, so nobody could be told a new one: make one (${MAKE}) and give it by --new FILE or NEW_MASTER_SECRET`,
        );
      requireDatabase(invocation);
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const { keys } = await openUpkeep(config, invocation.parts).rotateMaster(given);
      const file = config.masterSecret ? null : config.masterSecretFile;
      const where = file
        ? `The master secret is replaced: ${file} holds the new one, and ${file}.old the old one. Copy the new one to where you keep secrets, and make a backup. Then run "master-secret destroy-old --yes".`
        : 'The master secret is replaced: set MASTER_SECRET to the new one before the next start, and for every command from now on.';
      const old = file && `${file}.old`;
      return {
        json: { rotated: true, keys, file, old },
        text: `${where} Keys wrapped anew: ${keys}\n${NOT_YET}`,
      };
    },
  },
  {
    name: 'master-secret destroy-old',
    usage: '--yes',
    about:
      'Destroys master.key.old, the secret from before the last rotation. Backups from before that rotation can then be read only with a copy of it that you keep elsewhere.',
    words: [],
    options: {
      yes: { type: 'boolean', meaning: 'Required: you have a copy, or need no backup from before.' },
    },
    examples: ['master-secret destroy-old --yes'],
    run: async invocation => {
      if (invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required: backups from before the rotation need the old secret; use: ${invocation.usage}`,
        );
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const file = openUpkeep(invocation.config(), invocation.parts).destroyOldSecret();
      return { json: { destroyed: true, file }, text: `destroyed ${file}` };
    },
  },
];

/** @throws WrongUsage, SettingFault; neither repeats what was given */
function newSecret({ env, options, usage }: Invocation): Buffer | null {
  const text = env.NEW_MASTER_SECRET;
  const fromEnvironment = text === undefined || text === '' ? null : secret('NEW_MASTER_SECRET', text);
  if (typeof options.new !== 'string') return fromEnvironment;
  if (fromEnvironment)
    throw new WrongUsage(`give the new secret by --new or by NEW_MASTER_SECRET, not by both; use: ${usage}`);
  return fromFile(options.new);
}

function fromFile(path: string): Buffer {
  const text = readOptionFile('new', path).trim();
  try {
    return secret('--new', text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new WrongUsage(
      `--new ${resolve(path)} must hold 32 bytes in base64url and nothing else: make it by ${MAKE}`,
    );
  }
}
