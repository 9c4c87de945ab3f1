/** `app rekey`: encrypts the data of apps with fresh keys. */

import { type Rekeyed, rekeyAll, rekeyApp, SIGNING_KEYS } from '../../domain/rekeying.ts';
import { audited } from '../audited.ts';
import { type Command, WrongUsage } from '../command.ts';
import { withAdmin } from '../with-admin.ts';

export const APP_REKEY: Command = {
  name: 'app rekey',
  usage: '--app ID | --all',
  about: [
    'Encrypts templates and personal fields of an app (--all: of every app, and the private signing keys) with a fresh key and destroys the old key. The server may keep running.',
    'If interrupted, the next run finishes it, or the job data-keys of the server.',
    'After a theft of database and master secret, run "master-secret rotate", then "app rekey --all": the stolen secret no longer opens this database. It still opens copies that were made before.',
  ].join(' '),
  options: {
    app: {
      type: 'string',
      value: 'ID',
      completes: 'app',
      meaning: 'The app whose templates and personal fields get a fresh key.',
    },
    all: { type: 'boolean', meaning: 'Every app, and the private signing keys.' },
  },
  examples: ['app rekey --app APP_ID', 'app rekey --all'],
  run: async ({ options, usage, ...invocation }) => {
    const { app, all } = options;
    if ((typeof app === 'string' && app !== '') === (all === true))
      throw new WrongUsage(`give either --app ID or --all; use: ${usage}`);
    const progress = invocation.progress('rekey');
    const rekeyed = await withAdmin({ ...invocation, options, usage }, deps => {
      const appId = all ? null : String(app);
      return audited(deps, { action: 'app.rekey', target: appId, appId }, to =>
        all ? rekeyAll(to, progress.at) : rekeyApp(to, String(app), progress.at),
      );
    });
    const json = rekeyed.map(({ owner, values, unreadable, resumed }) => ({
      ...{ owner, values, unreadable, resumed },
    }));
    return {
      json: { rekeyed: json },
      text: rekeyed.map(line).join('\n') || 'nothing to encrypt: there are no users and no signing keys yet',
    };
  },
};

function line({ owner, values, unreadable, resumed }: Rekeyed): string {
  const what = owner === SIGNING_KEYS ? 'signing keys' : `values of ${owner}`;
  const left =
    unreadable === 0 ? '' : `; ${unreadable} cannot be decrypted and stay as they are: run "doctor"`;
  return `${values} ${what} are encrypted with a fresh key${resumed ? ' (finishing an interrupted run)' : ''}${left}`;
}
