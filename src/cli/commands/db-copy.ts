/** `db copy`: from the database file to a PostgreSQL server. */
import { grouped } from '../../protocol/amounts.ts';
import { databaseAddress } from '../../settings/database.ts';
import { recordDone } from '../audited.ts';
import { type Command, WrongUsage } from '../command.ts';
import { requireDatabase } from '../with-admin.ts';

export const DB_COPY: Command = {
  name: 'db copy',
  usage: '--to URL',
  about:
    'Copies everything from the database file to an empty database on a PostgreSQL server, and checks it there by counts and by opening every sealed row. Stop the server first. The file stays as it is.',
  options: {
    to: {
      type: 'string',
      value: 'URL',
      meaning:
        'As for DATABASE_URL. NEW_DATABASE_URL replaces it: other users of the machine can read arguments.',
    },
  },
  examples: ['db copy --to postgres://face@db.internal:5432/face_sign_in'],
  run: async invocation => {
    const { to = invocation.env.NEW_DATABASE_URL } = invocation.options;
    if (typeof to !== 'string' || to === '')
      throw new WrongUsage(`--to or NEW_DATABASE_URL is required; use: ${invocation.usage}`);
    const target = databaseAddress(invocation.options.to ? '--to' : 'NEW_DATABASE_URL', to);
    if (target.kind === 'sqlite')
      throw new WrongUsage(`--to must be the address of a PostgreSQL server; use: ${invocation.usage}`);
    requireDatabase(invocation);
    const { copyToServer } = await import('../../service/upkeep.ts');
    const config = invocation.config();
    const { rows, from, to: shown } = await copyToServer(config, target, invocation.progress('copy').at);
    await recordDone(
      { ...invocation, config: () => ({ ...config, database: target }) },
      { action: 'db.copy' },
    );
    const secret = config.masterSecret ? 'the same MASTER_SECRET' : `a copy of ${config.masterSecretFile}`;
    return {
      json: { rows, from, to: shown },
      text: [
        `${grouped(rows)} rows of ${from} are in ${shown}, and every sealed row opens there.`,
        `Start each node with DATABASE_URL set to it, ${secret}, and its own DATA_DIR; here keep this one, because its erasures.jsonl is needed.`,
        `Once people sign in there, destroy ${from}: it is a whole copy, and it does not follow erasures.`,
      ].join('\n'),
    };
  },
};
