/** `app export` and `app import`: move an app from one deployment to another. */

import { resolve } from 'node:path';
import { counted, grouped } from '../../protocol/amounts.ts';
import type { Incoming } from '../../service/upkeep.ts';
import { recordDone } from '../audited.ts';
import { type Command, type Invocation, WrongUsage } from '../command.ts';
import { readOptionFile } from '../option-file.ts';
import { table } from '../table.ts';
import { requireDatabase } from '../with-admin.ts';

/** Shorter passphrases can be guessed, however slow each guess is made. */
const PASSPHRASE_LENGTH = 12;
const MAKE = 'openssl rand -base64 24';

const PASSPHRASE_FILE = {
  type: 'string',
  value: 'FILE',
  completes: 'file',
  meaning: 'File that contains the passphrase, instead of EXPORT_PASSPHRASE.',
} as const;

export const TRANSFER_COMMANDS: readonly Command[] = [
  {
    name: 'app export',
    usage: 'ID FILE [--events] [--passphrase-file FILE]',
    about: [
      'Exports an app to one encrypted file for another deployment: users of both modes, consents, templates, monthly usage and, with --events, events. The file is a consistent snapshot; the server may keep running. It is encrypted with EXPORT_PASSPHRASE or the passphrase in a file; "age --decrypt FILE" shows it, one JSON record per line.',
      'API keys are not exported, because only their hashes are stored. The file contains face templates: send the passphrase separately, and delete the file when it has arrived.',
    ].join(' '),
    words: ['APP_ID', 'FILE'],
    options: {
      events: { type: 'boolean', meaning: "Export the app's audit trail too." },
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
      requireDatabase(invocation);
      const { openUpkeep } = await import('../../service/upkeep.ts');
      const exported = await openUpkeep(invocation.config(), invocation.parts).exportApp(request);
      await recordDone(invocation, { action: 'app.export', target: appId, appId: appId });
      const { file, bytes, users, templates, usage, events, unreadable, altered } = exported;
      const contents = [
        counted(bytes, 'byte'),
        ...peopleIn(exported),
        `${counted(usage, 'month')} of usage`,
        counted(events, 'event'),
      ];
      const text = `${file}: ${contents.join(', ')}\nAPI keys are not in the file: create new ones after the import.`;
      if (unreadable + altered > 0)
        invocation.warn(
          `not in the file: ${counted(unreadable, 'template')} that cannot be decrypted, ${counted(altered, 'user')} whose stored fields were altered; run "doctor"`,
        );
      return { json: { file, bytes, users, templates, usage, events, unreadable, altered }, text };
    },
  },
  {
    name: 'app import',
    about: [
      'Imports an app from a file made by "app export". The server may keep running. The whole file is checked first; --check stops there. The app becomes visible when its last row is written. If interrupted, nothing of it is visible: run the command again.',
      'Ids of users and templates stay the same; so does the id of the app, unless --as-new gives it a new one. Users who were erased here are not imported. Create new keys afterwards.',
      'Anyone who knows the passphrase can write such a file. So every line must keep the limits of the API, a summary is shown before anything is written, and plan and first-party come from your options: the values in the file are only shown.',
    ].join(' '),
    words: ['FILE'],
    options: {
      check: { type: 'boolean', meaning: 'Show what would be imported, and write nothing.' },
      'as-new': {
        type: 'boolean',
        meaning: 'Give the app a new id, if its own is taken or was erased.',
      },
      plan: {
        type: 'string',
        value: 'P',
        meaning: 'Plan of the imported app (default: free). The plan in the file is ignored.',
      },
      'first-party': {
        type: 'boolean',
        meaning: 'Set tokens as a cookie too (default: no). The value in the file is ignored.',
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
      if (check !== true)
        await recordDone(invocation, { action: 'app.import', target: imported.app, appId: imported.app });
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
        ['users', grouped(imported.users)],
        ['templates', grouped(imported.templates)],
        ['months of usage', grouped(imported.usage)],
        ['events', grouped(imported.events)],
        ['skipped (erased here)', grouped(imported.skippedErased)],
      ]);
      const next = check
        ? 'Nothing was written: this is what would be imported.'
        : `The app is imported. It has no keys yet: create them with "key create --app ${imported.app}".`;
      return { json, text: `${rows}\n${next}` };
    },
  },
];

/** What an operator has to know about a file that someone else wrote. */
function incomingText({ app, name, allowedOrigins, plan, firstParty, inFile, modes }: Incoming): string {
  const yesNo = (flag: boolean) => (flag ? 'yes' : 'no');
  return table([
    ['app', app],
    ['name', name],
    ['origins', allowedOrigins.join(', ') || 'none'],
    ['first-party', yesNo(firstParty) + unlike(firstParty, inFile.firstParty, yesNo, '--first-party')],
    ['plan', plan + unlike(plan, inFile.plan, String, `--plan ${inFile.plan}`)],
    ['live', peopleIn(modes.live).join(', ')],
    ['test', peopleIn(modes.test).join(', ')],
    ['keys', 'none: a file contains no keys'],
  ]);
}

function peopleIn({ users, templates }: { users: number; templates: number }): string[] {
  return [counted(users, 'user'), counted(templates, 'template')];
}

/** The value in the file, if the imported app gets another one, and the option that changes this. */
function unlike<Value>(here: Value, inFile: Value, shown: (value: Value) => string, option: string): string {
  if (here === inFile) return '';
  return ` (the file says ${shown(inFile)}${inFile === false ? '' : `: use ${option} for that`})`;
}

/** The passphrase is never an argument, because other users of the machine could read it. @throws WrongUsage */
function passphraseOf({ env, options, usage }: Invocation): string {
  const path = options['passphrase-file'];
  const given = env.EXPORT_PASSPHRASE ?? '';
  if (typeof path === 'string' && given !== '')
    throw new WrongUsage(
      `pass the passphrase with EXPORT_PASSPHRASE or --passphrase-file, not both; use: ${usage}`,
    );
  const passphrase =
    typeof path === 'string' ? readOptionFile('passphrase-file', path).replace(/\r?\n$/, '') : given;
  if (passphrase === '')
    throw new WrongUsage(
      `a passphrase is required: set EXPORT_PASSPHRASE or use --passphrase-file FILE; generate one with ${MAKE}`,
    );
  if ([...passphrase].length < PASSPHRASE_LENGTH)
    throw new WrongUsage(
      `the passphrase must have at least ${PASSPHRASE_LENGTH} characters: generate one with ${MAKE}`,
    );
  return passphrase;
}
