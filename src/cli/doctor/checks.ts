/** The checks of `doctor`. They change and create nothing. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { type Config, type Environment, loadConfig, settingWarnings } from '../../config.ts';
import { clockAdvice, faultOf } from '../../domain/known-time.ts';
import { outgrownWarning, sizeOfApp } from '../../domain/scores/size.ts';
import { thresholdWarning } from '../../domain/scores/threshold.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import type { Parts } from '../../service/data.ts';
import type { Findings } from '../../service/file.ts';
import { vitalFileOf } from '../../settings/database.ts';
import { inWords } from '../../settings/folder.ts';
import { unwiseSettings } from '../../settings/rules.ts';
import { SettingFault } from '../../settings/values.ts';
import { CLI } from '../../typed.ts';

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Nothing is broken, but the operator should look at it. */
  readonly warning?: true;
  /** One line: what was found, and how to fix it. */
  readonly detail: string;
}

/** With less free space, the write-ahead log soon has no room. */
const SPACE_WANTED = 64 * 1024 * 1024;
/** Nothing can have been stored before the program was written. */
const PROGRAM_WRITTEN = Date.UTC(2026, 0, 1);
const OTHERS = 0o077;

export async function runChecks(env: Environment, parts: Parts): Promise<Check[]> {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    return [{ name: 'settings', ok: false, detail: error.message }];
  }
  const { examine } = await import('../../service/file.ts');
  const { database, mail, now } = await examine(config, parts);
  return [
    { name: 'settings', ok: true, detail: `API ${config.baseUrl ?? `http://${config.host}:${config.port}`}` },
    ...settingWarnings(env).map((detail): Check => ({ name: 'settings', ok: true, warning: true, detail })),
    ...unwiseSettings(config).map(
      ({ setting, message, fix }): Check => ({
        name: setting,
        ok: true,
        warning: true,
        detail: `${message} ${fix}`,
      }),
    ),
    { name: 'threshold', ...thresholdOf(config) },
    { name: 'files', ...filesOf(config) },
    ...checksOf(database),
    ...appsOf(database, config),
    { name: 'mail', ...mail },
    { name: 'clock', ...clockAgainst(database.latest, now, config.clockLeapDays) },
  ];
}

function checksOf({
  database,
  secret,
  oldSecret,
  dataKeys,
  sealed,
  operators,
  audit,
  server,
}: Findings): Check[] {
  return [
    { name: 'database', ...database },
    { name: 'master secret', ...secret },
    ...(oldSecret ? [{ name: 'old secret', ...oldSecret }] : []),
    { name: 'data keys', ...dataKeys },
    { name: 'sealed rows', ...sealed },
    { name: 'operators', ...operators },
    { name: 'audit log', ...audit },
    ...(server
      ? [
          { name: 'erasures', ...server.erasures },
          { name: 'connections', ...server.connections },
        ]
      : []),
  ];
}

function thresholdOf({ matchThreshold: threshold, matchMargin: margin }: Config): Omit<Check, 'name'> {
  const warning = thresholdWarning(threshold);
  if (warning) return { ok: true, warning: true, detail: `${warning.message} ${warning.fix}` };
  return { ok: true, detail: `MATCH_THRESHOLD ${threshold}, MATCH_MARGIN ${margin}` };
}

/** Only counts: the running service also measures faces, and is then to be believed. */
function appsOf({ apps }: Findings, { matchThreshold: threshold }: Config): Check[] {
  const sized = apps.map(({ appId, users, encoder }) => ({
    appId,
    size: sizeOfApp(users, encoder, threshold),
  }));
  const warning = outgrownWarning(sized, threshold);
  if (!warning) return [];
  const detail = `${warning.message} ${warning.fix} Where "health" has measured an app's own faces, go by that.`;
  return [{ name: 'app sizes', ok: true, warning: true, detail }];
}

function filesOf(config: Config): Omit<Check, 'name'> {
  const { dataDir } = config;
  try {
    if (!existsSync(dataDir))
      return bad(`DATA_DIR ${dataDir} does not exist: start the service once, or check the setting`);
    for (const file of [vitalFileOf(config), config.masterSecretFile]) {
      if (existsSync(file) && statSync(file).mode & OTHERS)
        return bad(`${file} can be read by other users: chmod 600 ${file}`);
    }
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    if (free < SPACE_WANTED) return bad(`${dataDir} has only ${sizeOf(free)} left: free some space`);
    return { ok: true, detail: `${dataDir}, readable by this user only, ${sizeOf(free)} left` };
  } catch (error) {
    return bad(`${dataDir} cannot be read: ${inWords(error)}`);
  }
}

function clockAgainst(latest: number | null, now: number, leapDays: number): Omit<Check, 'name'> {
  const time = new Date(now).toISOString();
  if (now < PROGRAM_WRITTEN) return bad(`the clock shows ${time}: set it`);
  const fault = latest === null ? null : faultOf(latest, now, leapDays);
  if (fault) {
    const { message, fix } = clockAdvice(fault, `${CLI} clock accept`);
    return bad(`${message} ${fix}`);
  }
  return { ok: true, detail: time };
}

function bad(detail: string): Omit<Check, 'name'> {
  return { ok: false, detail };
}
