/**
 * `master-secret rotate`. The new secret is never an argument, which other users of the machine could read: it comes from a
 * file, from NEW_MASTER_SECRET, or from chance.
 */
import { resolve } from 'node:path';
import { openUpkeep } from '../../service.ts';
import { SettingFault, secret } from '../../settings/values.ts';
import { type Command, type Invocation, WrongUsage } from '../command.ts';
import { readOptionFile } from '../option-file.ts';

const MAKE = `openssl rand -base64 32 | tr '+/' '-_' | tr -d =`;
const NOT_YET =
  'Backups from before need the old secret: keep it with them, apart, as long as they are kept. If the old one was stolen, run "app rekey --all" now: templates and signing keys are sealed by the same keys as before until then.';

export const MASTER_SECRET_COMMANDS: readonly Command[] = [
  {
    name: 'master-secret rotate',
    usage: '[--new FILE]',
    about: [
      'Replaces the master secret, beside a running server, which goes on. The new one is made by chance and put into master.key, or taken from FILE or from NEW_MASTER_SECRET (32 bytes in base64url).',
      'Where MASTER_SECRET holds the present one, stop the server first, give the new one, and start with it. Killed halfway, the next start ends it.',
      'It makes an old copy of the secret worthless for later copies of the database. After a theft of both run "app rekey --all" too.',
    ].join(' '),
    words: [],
    options: {
      new: { type: 'string', value: 'FILE', completes: 'file', meaning: 'File that holds the new secret.' },
    },
    examples: ['master-secret rotate', 'master-secret rotate --new /root/new-secret'],
    run: async invocation => {
      const config = invocation.config();
      const given = newSecret(invocation);
      if (config.masterSecret && !given)
        throw new WrongUsage(
          `the present secret is in MASTER_SECRET, so nobody could be told a new one: make one (${MAKE}) and give it by --new FILE or NEW_MASTER_SECRET`,
        );
      const { keys } = await openUpkeep(config, invocation.parts).rotateMaster(given);
      const file = config.masterSecret ? null : config.masterSecretFile;
      const where = file
        ? `The master secret is replaced: ${file} holds the new one. Copy it to where you keep the old one, and make a backup.`
        : 'The master secret is replaced: set MASTER_SECRET to the new one before the next start, and for every command from now on.';
      return { json: { rotated: true, keys, file }, text: `${where} Keys wrapped anew: ${keys}\n${NOT_YET}` };
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
