/**
 * `health`: what the running server says of itself, for people, for scripts and for a container's health check. `doctor` looks
 * at the files instead, and needs no server. Held by test/cli/health.test.ts.
 */
import type { Config } from '../../config.ts';
import { addressOf } from '../../service/listening.ts';
import { type Command, CommandFailed } from '../command.ts';
import type { Paint } from '../paint.ts';
import { type Cell, count, listing, table } from '../table.ts';

/** A service that takes longer is not well. */
const PATIENCE_MS = 5_000;
/** These listen on every address of the machine, and are none themselves. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

interface Health {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly version: string;
  readonly apps?: { readonly watched: readonly WatchedApp[]; readonly left_out: number };
  readonly problems: readonly {
    readonly name: string;
    readonly since: string | null;
    readonly message: string;
    readonly fix: string;
  }[];
}

interface WatchedApp {
  readonly app_id: string;
  readonly mode: string;
  readonly users: number;
  readonly safe_users: number | null;
  readonly state: 'unknown' | 'safe' | 'unclear' | 'unsafe';
}

export const HEALTH: Command = {
  name: 'health',
  usage: '',
  about:
    'Asks the running server how it is: ok, degraded (it answers, and something waits for you) or down. Exit 1 when it is down or does not answer.',
  words: [],
  options: {},
  examples: ['health', 'health --json'],
  run: async ({ config, paint }) => {
    const health = await ask(config());
    const { status, version, problems } = health;
    const colour = { ok: 'green', degraded: 'yellow', down: 'red' } as const;
    const lines: Cell[][] = problems.map(({ name, since, message, fix }) => [
      { text: name, colour: 'yellow' },
      `${message}${since ? ` (since ${since})` : ''}: ${fix}`,
    ]);
    const head = `${paint(colour[status], status)}  face-sign-in ${version}`;
    const parts = [head, lines.length === 0 ? '' : table(lines, paint), appLines(health, paint)];
    return { json: health, text: parts.filter(part => part !== '').join('\n'), failed: status === 'down' };
  },
};

const COLOURS = { unsafe: 'red', unclear: 'yellow', safe: 'green', unknown: 'dim' } as const;

/** For how many users each watched app is safe. */
function appLines({ apps }: Health, paint: Paint): string {
  if (!apps || apps.watched.length === 0) return '';
  const rows: Cell[][] = apps.watched.map(({ app_id, mode, users, safe_users, state }) => [
    app_id,
    mode,
    count(users),
    safe_users === null ? '' : count(safe_users),
    { text: state, colour: COLOURS[state] },
  ]);
  const more = apps.left_out > 0 ? `\nand ${apps.left_out} more` : '';
  return `${listing(['APP', 'MODE', 'USERS', 'SAFE FOR', 'STATE'], rows, paint)}${more}`;
}

/** @throws CommandFailed naming the address, when nobody answers there, or somebody else does */
async function ask({ portalHost, portalPort }: Config): Promise<Health> {
  if (portalPort === 0)
    throw new CommandFailed('PORTAL_PORT is 0, which is another port at every start: set it to a fixed one');
  const address = addressOf(EVERYWHERE[portalHost] ?? portalHost, portalPort);
  const limits = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
  try {
    const { request } = await import('undici');
    const { body } = await request(`${address}/health`, limits);
    const health = (await body.json()) as Partial<Health>;
    if (health.status && health.version && health.problems) return health as Health;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      `no server answers at ${address} (${code ?? name}): start it, or set PORTAL_HOST and PORTAL_PORT as it has them`,
    );
  }
  throw new CommandFailed(`what answers at ${address} is no face-sign-in: set PORTAL_HOST and PORTAL_PORT`);
}
