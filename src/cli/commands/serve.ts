/** `serve`: runs the service until it is told to stop. */
import { createService, ListenFault, type Started } from '../../service.ts';
import { CLI, DEMO } from '../../typed.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed } from '../command.ts';
import { table } from '../table.ts';

export const SERVE: Command = {
  name: 'serve',
  usage: '',
  about:
    'Runs API, portal and jobs until SIGTERM or SIGINT. The log goes to stdout as JSON lines, a summary to stderr. With --json stdout is one document, printed when the service is ready: its addresses and, on the first run with DEMO=on, the demo keys; the log then goes to stderr.',
  words: [],
  options: {},
  examples: ['serve', 'serve --json'],
  run: async invocation => {
    const { json } = invocation;
    const parts = { ...invocation.parts, ...(json && { logTo: process.stderr.fd }) };
    const service = await createService(invocation.config(), parts);
    const stopped = stopSignal();
    const started = await service.listen().catch(async error => {
      await service.close();
      throw listenFault(error);
    });
    const { dataDir } = invocation.config();
    if (json) invocation.print(JSON.stringify(documentOf(started, dataDir), null, 2));
    else invocation.printError(summary(started, dataDir));
    await stopped;
    await service.close();
    return null;
  },
};

/** Resolves with the first signal. More of them change nothing: a terminal and npm both send one for a single Ctrl+C. */
function stopSignal(): Promise<void> {
  return new Promise(stop => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());
  });
}

const LISTEN_FAULTS: Record<string, { setting: 'PORT' | 'HOST'; fault: string; example: string }> = {
  EADDRINUSE: { setting: 'PORT', fault: 'is in use by another program', example: '8090' },
  EACCES: { setting: 'PORT', fault: 'is not permitted to this user', example: '8090' },
  EADDRNOTAVAIL: { setting: 'HOST', fault: 'is not an address of this machine', example: '127.0.0.1' },
  ENOTFOUND: { setting: 'HOST', fault: 'is not a name that this machine knows', example: '127.0.0.1' },
};

/** One line that names the setting to change. */
function listenFault(error: unknown): Error {
  if (!(error instanceof ListenFault)) return error as Error;
  const known = LISTEN_FAULTS[error.code];
  if (!known) return new CommandFailed(`cannot listen on ${error.address}: ${error.code}`);
  const setting = `${error.who === 'portal' ? 'PORTAL_' : ''}${known.setting}`;
  return new CommandFailed(
    `cannot listen on ${error.address}: it ${known.fault}; set ${setting} to another, for example ${setting}=${known.example}`,
  );
}

function documentOf({ api, portal, issuer, demo, apps, strayPlans }: Started, dataDir: string): object {
  return {
    version: VERSION,
    pid: process.pid,
    api,
    portal,
    issuer,
    data_dir: dataDir,
    apps,
    demo: demo && {
      app_id: demo.appId,
      publishable_key: demo.publishableKey,
      secret_key: demo.secretKey,
    },
    stray_plans: strayPlans.map(({ plan, apps: having, heldTo }) => ({
      plan,
      apps: having,
      held_to: heldTo,
    })),
  };
}

function summary({ api, portal, issuer, demo, apps, strayPlans }: Started, dataDir: string): string {
  const places = [
    ['  API', api],
    ['  Portal', `${portal}  (for operators)`],
    ['  Data', dataDir],
  ];
  if (issuer !== api) places.splice(1, 0, ['  Public address', issuer]);
  const lines = [`face-sign-in ${VERSION} is ready`, '', table(places), ''];
  if (demo) {
    lines.push(
      'A demo app was made. Its test keys are shown now and never again:',
      table([
        ['  app', demo.appId],
        ['  publishable key', demo.publishableKey],
        ['  secret key', demo.secretKey],
      ]),
      '',
      `See a sign-in, in another terminal:  ${DEMO}`,
      `Try it with your own face, in a browser:  ${portal}/try`,
    );
  } else if (apps === 0) {
    lines.push(`No app yet. Make one:  ${CLI} app create --name NAME --origin ORIGIN`);
  } else {
    lines.push(`Apps: ${apps}. Another key for one of them:  ${CLI} key create --help`);
  }
  for (const { plan, apps: having, heldTo } of strayPlans) {
    lines.push(
      `The plan ${JSON.stringify(plan)} of ${having.join(', ')} is not in PLANS_FILE: held to "${heldTo}", the smallest.`,
    );
  }
  return `\n${lines.join('\n')}\n`;
}
