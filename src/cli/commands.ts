/** Every command of the command line. */
import type { Command } from './command.ts';
import { APP_COMMANDS } from './commands/app.ts';
import { APP_REKEY } from './commands/app-rekey.ts';
import { BACKUP_COMMANDS } from './commands/backup.ts';
import { CALIBRATE } from './commands/calibrate.ts';
import { DEMO } from './commands/demo.ts';
import { DOCTOR } from './commands/doctor.ts';
import { JOB_COMMANDS } from './commands/job.ts';
import { KEY_COMMANDS } from './commands/key.ts';
import { MASTER_SECRET_COMMANDS } from './commands/master-secret.ts';
import { SERVE } from './commands/serve.ts';
import { SIGNING_KEY_COMMANDS } from './commands/signing-key.ts';
import { TRANSFER_COMMANDS } from './commands/transfer.ts';

export const COMMANDS: readonly Command[] = [
  SERVE,
  DEMO,
  ...APP_COMMANDS,
  APP_REKEY,
  ...TRANSFER_COMMANDS,
  ...KEY_COMMANDS,
  ...SIGNING_KEY_COMMANDS,
  ...MASTER_SECRET_COMMANDS,
  ...JOB_COMMANDS,
  ...BACKUP_COMMANDS,
  DOCTOR,
  CALIBRATE,
];
