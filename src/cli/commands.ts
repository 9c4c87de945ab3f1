/** All commands, grouped by purpose. */
import type { Command } from './command.ts';
import { APP_ENCODER_COMMANDS, APP_ORIGIN_COMMANDS, APP_REKEY } from './commands/apps.ts';
import { AUDIT } from './commands/audit.ts';
import { BACKUP_COMMANDS } from './commands/backup.ts';
import { CALIBRATE } from './commands/calibrate.ts';
import { COMPLETION } from './commands/completion.ts';
import { DEMO } from './commands/demo.ts';
import { DOCTOR, MAIL_TEST } from './commands/doctor.ts';
import { EVENTS } from './commands/events.ts';
import { HEALTH } from './commands/health.ts';
import { CLOCK_ACCEPT, DB_COPY, JOB_COMMANDS } from './commands/maintenance.ts';
import { OPERATOR_LINK } from './commands/operator.ts';
import { ENCODER_MOBILEFACENET, SDK } from './commands/sdk.ts';
import { MASTER_SECRET_COMMANDS, SIGNING_KEY_ROTATE } from './commands/secrets.ts';
import { SERVE } from './commands/serve.ts';
import { STATS } from './commands/stats.ts';
import { TRANSFER_COMMANDS } from './commands/transfer.ts';
import { USER_EXPORT } from './commands/user-export.ts';
import { WEBHOOK_LISTEN } from './commands/webhook-listen.ts';
import { commandsFor } from './operations.ts';

interface Group {
  readonly title: string;
  readonly commands: readonly Command[];
}

const NAMED: readonly Group[] = [
  { title: 'Run', commands: [SERVE, DEMO] },
  {
    title: 'Apps and keys',
    commands: [
      ...commandsFor('app'),
      ...APP_ORIGIN_COMMANDS,
      ...commandsFor('key'),
      ...APP_ENCODER_COMMANDS,
      ...TRANSFER_COMMANDS,
    ],
  },
  { title: 'Webhooks', commands: [...commandsFor('webhook'), WEBHOOK_LISTEN] },
  { title: 'Users', commands: [...commandsFor('user'), USER_EXPORT] },
  { title: 'Portal', commands: [...commandsFor('operator'), OPERATOR_LINK, ...commandsFor('team'), AUDIT] },
  { title: 'Monitoring', commands: [HEALTH, EVENTS, STATS, DOCTOR, MAIL_TEST] },
  { title: 'Maintenance', commands: [...BACKUP_COMMANDS, DB_COPY, ...JOB_COMMANDS, CLOCK_ACCEPT] },
  {
    title: 'Secrets',
    commands: [...commandsFor('signing-key'), SIGNING_KEY_ROTATE, ...MASTER_SECRET_COMMANDS, APP_REKEY],
  },
  { title: 'Tools', commands: [SDK, CALIBRATE, ENCODER_MOBILEFACENET, COMPLETION] },
];

const named = NAMED.flatMap(({ commands }) => commands.map(({ name }) => name));
/** Of operations whose family has no place above. */
const OTHERS = commandsFor().filter(({ name }) => !named.includes(name));

/** In the order of --help. */
export const GROUPS: readonly Group[] =
  OTHERS.length === 0 ? NAMED : [...NAMED, { title: 'Others', commands: OTHERS }];

export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands);
