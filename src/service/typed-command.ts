/**
 * The command of the service as somebody has to type it on this machine, in a shell that has none of the server's
 * settings: with the settings file or what else says where the data and the portal are, and as the service's user.
 * Secrets are left out, so their place shows an ellipsis. Held by test/cli/typed-command.test.ts.
 */

import { userInfo } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { type Config, loadConfig } from '../config.ts';
import { isOnlyLocal } from '../settings/values.ts';
import { CLI } from '../typed.ts';

const SECRET = '…';
/** Users of services, by the convention of Linux, and those that systemd makes for one run. */
const FIRST_PERSON = 1_000;
const MADE_BY_SYSTEMD = [61_184, 65_519] as const;

type Known = Pick<
  Config,
  | 'settingsFile'
  | 'dataDir'
  | 'database'
  | 'masterSecret'
  | 'portalHost'
  | 'portalUrl'
  | 'portalPort'
  | 'portalTrustProxy'
>;

/** @param portalUrl where the portal listens @param user null: whoever reads it can type it as they are */
export function typedCommand(config: Known, portalUrl: string, user = serviceUser()): string {
  const { settingsFile } = config;
  const found = withoutEnvironment(settingsFile);
  const isOther = (field: keyof Known) => !isDeepStrictEqual(config[field], found?.[field] ?? null);
  const port = new URL(portalUrl).port;
  // The database and the secret stand in the folder, unless they are settings of their own.
  const values: [name: string, value: string | null][] = [
    ['SETTINGS_FILE', settingsFile],
    ['DATA_DIR', isOther('dataDir') ? config.dataDir : null],
    ['DATABASE_URL', isOther('database') && isServer(config) ? SECRET : null],
    ['MASTER_SECRET', isOther('masterSecret') ? SECRET : null],
    ['PORTAL_URL', isOther('portalUrl') ? portalUrl : null],
    ['PORTAL_PORT', config.portalUrl === null && Number(port) !== found?.portalPort ? port : null],
  ];
  const given = values.flatMap(([name, value]) => (value === null ? [] : [`${name}=${quoted(value)}`]));
  const asUser = user === null ? [] : ['sudo', '-u', user, ...(given.length > 0 ? ['env'] : [])];
  return [...asUser, ...given, CLI].join(' ');
}

/**
 * For pages, which need no session: whoever reads them on this machine gets the whole command, everybody else only the
 * name of the program, and no path or user of the machine.
 */
export function shownCommand(config: Known, portalUrl: string): string {
  return isOnlyLocal(config) ? typedCommand(config, portalUrl) : CLI;
}

/** The settings of a shell that knows only the file. Null: they are not complete. */
function withoutEnvironment(settingsFile: string | null): Config | null {
  try {
    return loadConfig(settingsFile === null ? {} : { SETTINGS_FILE: settingsFile });
  } catch {
    return null;
  }
}

const isServer = ({ database }: Known) => database !== null && 'shown' in (database as object);

function serviceUser(): string | null {
  const id = process.getuid?.() ?? FIRST_PERSON;
  const [first, last] = MADE_BY_SYSTEMD;
  const isService = id !== 0 && (id < FIRST_PERSON || (id >= first && id <= last));
  return isService ? systemUser() : null;
}

/** As a shell reads it. */
const quoted = (text: string) => (/^[\w.:/…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Who runs the process, for the audit log. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the system's list, as in some containers.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
