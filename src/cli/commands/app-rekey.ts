/** `app rekey`: fresh keys for what apps have sealed. */
import { type Rekeyed, rekeyAll, rekeyApp, SIGNING_KEYS } from '../../domain/operating/data-keys.ts';
import { type Command, WrongUsage } from '../command.ts';
import { withAdmin } from '../with-admin.ts';

export const APP_REKEY: Command = {
  name: 'app rekey',
  usage: '--app ID | --all',
  about: [
    'Seals the templates of an app (--all: of every app, and the private signing keys) with a fresh key, beside a running server, and destroys the old key.',
    'Killed halfway, the next run goes on, or the job data-keys of the server.',
    'After a theft of database and master secret: "master-secret rotate" first, then "app rekey --all" makes the stolen secret worthless for this database. Copies that were made before stay as readable as they were.',
  ].join(' '),
  words: [],
  options: {
    app: {
      type: 'string',
      value: 'ID',
      completes: 'app',
      meaning: 'The app whose templates are sealed anew.',
    },
    all: { type: 'boolean', meaning: 'Every app, and the private signing keys.' },
  },
  examples: ['app rekey --app APP_ID', 'app rekey --all'],
  run: async ({ options, usage, ...invocation }) => {
    const { app, all } = options;
    if ((typeof app === 'string' && app !== '') === (all === true))
      throw new WrongUsage(`give either --app ID or --all; use: ${usage}`);
    const progress = invocation.progress('rekey');
    const rekeyed = await withAdmin({ ...invocation, options, usage }, deps =>
      all ? rekeyAll(deps, progress.at) : rekeyApp(deps, String(app), progress.at),
    );
    const json = rekeyed.map(({ owner, values, unreadable, resumed }) => ({
      ...{ owner, values, unreadable, resumed },
    }));
    return { json: { rekeyed: json }, text: rekeyed.map(line).join('\n') || 'nothing was ever sealed' };
  },
};

function line({ owner, values, unreadable, resumed }: Rekeyed): string {
  const what = owner === SIGNING_KEYS ? 'signing keys' : `templates of ${owner}`;
  const left = unreadable === 0 ? '' : `; ${unreadable} cannot be opened and stay as they are: run "doctor"`;
  return `${values} ${what} are sealed with a fresh key${resumed ? ', as an interrupted run had begun' : ''}${left}`;
}
