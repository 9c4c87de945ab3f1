/**
 * `health`: shows the health that the running server reports, for people, scripts and container health checks.
 * (`doctor` checks the files instead, and needs no server.) Held by test/cli/health.test.ts.
 */
import type { Config } from '../../config.ts';
import type { Answer } from '../../protocol/portal/answers.ts';
import { addressOf } from '../../service/listening.ts';
import { type Command, CommandFailed, type Invocation } from '../command.ts';
import type { Paint } from '../paint.ts';
import { type Cell, count, listing, table } from '../table.ts';

const TIMEOUT_MS = 5_000;
/** Wildcard addresses, with an address to connect to instead. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

type Health = Pick<Answer<'fullHealth'>, 'status' | 'version' | 'problems'> & {
  readonly apps?: { readonly watched: readonly WatchedApp[]; readonly left_out: number };
};

interface WatchedApp {
  readonly app_id: string;
  readonly mode: string;
  readonly users: number;
  readonly safe_users: number | null;
  readonly state: 'unknown' | 'safe' | 'unclear' | 'unsafe';
}

export const HEALTH: Command = {
  name: 'health',
  about:
    'Shows the health of the running server: ok, degraded (it works, but a problem needs your attention) or down. Exits with 1 if the server is down or does not respond.',
  examples: ['health', 'health --json'],
  run: async ({ config, paint, warn }) => {
    const health = await ask(config(), warn);
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

/** Shows how many users each watched app can have and stay safe. */
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

/** @throws CommandFailed naming the address, if nothing or another program answers there */
async function ask(config: Config, warn: Invocation['warn']): Promise<Health> {
  const { portalHost, portalPort, metricsToken } = config;
  if (portalPort === 0)
    throw new CommandFailed('PORTAL_PORT is 0, so the port changes at every start: set it to a fixed port');
  const address = addressOf(LOOPBACK_OF[portalHost] ?? portalHost, portalPort);
  const limits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  try {
    const { request } = await import('undici');
    const headers = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` };
    const { body, statusCode } = await request(`${address}/health`, { ...limits, headers });
    if (statusCode === 401) {
      warn(
        'only the public health is shown: set METRICS_TOKEN, for the service and here, to see its problems',
      );
      const open = await request(
        `${addressOf(LOOPBACK_OF[config.host] ?? config.host, config.port)}/health`,
        limits,
      );
      return { problems: [], ...((await open.body.json()) as Omit<Health, 'problems'>) };
    }
    const health = (await body.json()) as Partial<Health>;
    if (health.status && health.version && health.problems) return health as Health;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      `no server answers at ${address} (${code ?? name}): start it, or set PORTAL_HOST and PORTAL_PORT to its values`,
    );
  }
  throw new CommandFailed(`the server at ${address} is not face-sign-in: check PORTAL_HOST and PORTAL_PORT`);
}
