/** `app export` and `app import`: an app on its way from one deployment to another. */
import { resolve } from 'node:path';
import type { Incoming } from '../../service/upkeep.ts';
import { type Command, type Invocation, WrongUsage } from '../command.ts';
import { readOptionFile } from '../option-file.ts';
import { table } from '../table.ts';
import { requireDatabase } from '../with-admin.ts';

/** Shorter ones are guessed, whatever the file makes of each guess. */
const PASSPHRASE_LENGTH = 12;
const MAKE = 'openssl rand -base64 24';

const PASSPHRASE_FILE = {
  type: 'string',
  value: 'FILE',
  completes: 'file',
  meaning: 'File that holds the passphrase, in place of EXPORT_PASSPHRASE.',
} as const;

export const TRANSFER_COMMANDS: readonly Command[] = [
  {
    name: 'app export',
    usage: 'ID FILE [--events] [--passphrase-file FILE]',
    about: [
      'Writes an app with its users of both modes, consents, templates and monthly usage (--events: and its events) into one file for another deployment, beside a running server: one state, encrypted under EXPORT_PASSPHRASE or the passphrase in a file. "age --decrypt FILE" shows it, one JSON record per line.',
      'API keys are not in it, as only their hashes exist. The file holds faces as numbers: send the passphrase another way, and delete the file when it has arrived.',
    ].join(' '),
    words: ['APP_ID', 'FILE'],
    options: {
      events: { type: 'boolean', meaning: 'The audit log of the app too.' },
      'passphrase-file': PASSPHRASE_FILE,
    },
    examples: ['app export APP_ID /srv/shop.age', 'app export APP_ID /srv/shop.age --events'],
    run: async invocation => {
      const [appId = '', path = ''] = invocation.words;
      const request = {
        appId,
        file: resolve(path),
        passphrase: passphraseOf(invocation),
        events: invocation.options.events === true,
        onProgress: invocation.progress('export').at,
      };
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const exported = await openUpkeep(invocation.config(), invocation.parts).exportApp(request);
      const { file, bytes, users, templates, usage, events, unreadable, altered } = exported;
      const text = `${file}: ${bytes} bytes, ${users} users, ${templates} templates, ${usage} months, ${events} events\nAPI keys are not in it: make new ones where it is imported.`;
      if (unreadable + altered > 0)
        invocation.warn(
          `${unreadable} templates that cannot be opened and ${altered} users whose address was altered are not in the file: run "doctor"`,
        );
      return { json: { file, bytes, users, templates, usage, events, unreadable, altered }, text };
    },
  },
  {
    name: 'app import',
    usage: 'FILE [--check] [--as-new] [--plan P] [--first-party] [--passphrase-file FILE]',
    about: [
      'Takes in an app that "app export" has written, beside a running server: the whole file is checked first (--check: and that is all), and the app is there when its last row is. Killed halfway, nothing of it is to be seen; run it again.',
      'Ids of users and templates stay; so does the id of the app, unless --as-new gives it another. Users who were erased here do not come back. Make new keys afterwards.',
      'Whoever knows the passphrase can write such a file. So every line is held to the limits of the API, what comes in is shown before any of it is written, and the plan and --first-party are yours to give: those in the file are only shown.',
    ].join(' '),
    words: ['FILE'],
    options: {
      check: { type: 'boolean', meaning: 'Tell what would come, and write nothing.' },
      'as-new': {
        type: 'boolean',
        meaning: 'Give the app another id, where its own is taken or was erased.',
      },
      plan: {
        type: 'string',
        value: 'P',
        meaning: 'Plan of the app here, whatever the file says (default: free).',
      },
      'first-party': {
        type: 'boolean',
        meaning: 'The app gets its tokens as a cookie too, whatever the file says (default: it does not).',
      },
      'passphrase-file': PASSPHRASE_FILE,
    },
    examples: ['app import /srv/shop.age --check', 'app import /srv/shop.age --plan standard'],
    run: async invocation => {
      const { check, plan } = invocation.options;
      const passphrase = passphraseOf(invocation);
      requireDatabase(invocation);
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const imported = await openUpkeep(invocation.config(), invocation.parts).importApp({
        file: resolve(invocation.words[0] as string),
        passphrase,
        checkOnly: check === true,
        asNew: invocation.options['as-new'] === true,
        plan: typeof plan === 'string' ? plan : null,
        firstParty: invocation.options['first-party'] === true,
        onChecked: incoming => {
          if (!invocation.json) invocation.print(incomingText(incoming));
        },
        onProgress: invocation.progress('import').at,
      });
      const json = {
        app: imported.app,
        users: imported.users,
        templates: imported.templates,
        usage: imported.usage,
        events: imported.events,
        skipped_erased: imported.skippedErased,
        checked_only: check === true,
        name: imported.name,
        allowed_origins: imported.allowedOrigins,
        plan: imported.plan,
        first_party: imported.firstParty,
        in_file: {
          plan: imported.inFile.plan,
          first_party: imported.inFile.firstParty,
          modes: imported.modes,
        },
      };
      const rows = table([
        ['users', String(imported.users)],
        ['templates', String(imported.templates)],
        ['months of usage', String(imported.usage)],
        ['events', String(imported.events)],
        ['left out, as they were erased here', String(imported.skippedErased)],
      ]);
      const next = check
        ? 'Nothing was written: this is what would come.'
        : `The app is here. It has no keys yet: make them with "key create --app ${imported.app}".`;
      return { json, text: `${rows}\n${next}` };
    },
  },
];

/** What an operator has to know of a file that somebody else has written. */
function incomingText({ app, name, allowedOrigins, plan, firstParty, inFile, modes }: Incoming): string {
  const yesNo = (flag: boolean) => (flag ? 'yes' : 'no');
  const people = ({ users, templates }: { users: number; templates: number }) =>
    `${users} users, ${templates} templates`;
  return table([
    ['app', app],
    ['name', name],
    ['origins', allowedOrigins.join(', ') || 'none'],
    ['first-party', yesNo(firstParty) + unlike(firstParty, inFile.firstParty, yesNo, '--first-party')],
    ['plan', plan + unlike(plan, inFile.plan, String, `--plan ${inFile.plan}`)],
    ['live', people(modes.live)],
    ['test', people(modes.test)],
    ['keys', 'none: a file cannot bring any'],
  ]);
}

/** What the file says, where the app here is not to be so, and how to have it so. */
function unlike<Value>(here: Value, said: Value, shown: (value: Value) => string, option: string): string {
  if (here === said) return '';
  return ` (the file says ${shown(said)}${said === false ? '' : `: give ${option} to have it so`})`;
}

/** Never an argument: other users of the machine could read it. @throws WrongUsage */
function passphraseOf({ env, options, usage }: Invocation): string {
  const path = options['passphrase-file'];
  const given = env.EXPORT_PASSPHRASE ?? '';
  if (typeof path === 'string' && given !== '')
    throw new WrongUsage(
      `give the passphrase by EXPORT_PASSPHRASE or by --passphrase-file, not by both; use: ${usage}`,
    );
  const passphrase =
    typeof path === 'string' ? readOptionFile('passphrase-file', path).replace(/\r?\n$/, '') : given;
  if (passphrase === '')
    throw new WrongUsage(
      `a passphrase is needed: set EXPORT_PASSPHRASE or give --passphrase-file FILE; make one by ${MAKE}`,
    );
  if ([...passphrase].length < PASSPHRASE_LENGTH)
    throw new WrongUsage(
      `the passphrase must have at least ${PASSPHRASE_LENGTH} characters: make one by ${MAKE}`,
    );
  return passphrase;
}
