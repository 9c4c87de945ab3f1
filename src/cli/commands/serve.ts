/** `serve`: runs the service until it is told to stop. */
import { createService, type Service } from '../../service.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed, type Invocation } from '../command.ts';
import { table } from '../table.ts';

export const SERVE: Command = {
  name: 'serve',
  usage: '',
  about: 'Runs API, operators’ page and jobs until SIGTERM or SIGINT.',
  words: [],
  options: {},
  run: async invocation => {
    const service = await createService(invocation.config(), invocation.parts);
    let addresses: { api: string; portal: string };
    try {
      addresses = await service.listen();
    } catch (error) {
      await service.close();
      throw listenFault(error, invocation);
    }
    invocation.printError(summary(service, addresses, invocation.config().dataDir));
    await stopSignal();
    await service.close();
    return null;
  },
};

function stopSignal(): Promise<void> {
  return new Promise(stop => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop());
  });
}

function listenFault(error: unknown, invocation: Invocation): Error {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === undefined || port === undefined) return error as Error;
  const setting = port === invocation.config().port ? 'PORT' : 'PORTAL_PORT';
  const reasons: Record<string, string> = {
    EADDRINUSE: 'is in use by another program',
    EACCES: 'is not permitted to this user',
    EADDRNOTAVAIL: 'is not an address of this machine',
  };
  return new CommandFailed(
    `cannot listen on ${address}:${port}: it ${reasons[code] ?? code}; set ${setting} to another, for example ${setting}=8090`,
  );
}

function summary(
  service: Service,
  { api, portal }: { api: string; portal: string },
  dataDir: string,
): string {
  const lines = [
    `face-sign-in ${VERSION} is ready`,
    '',
    table([
      ['  API', api],
      ['  Portal', `${portal}  (for operators)`],
      ['  Data', dataDir],
    ]),
  ];
  if (service.demo) {
    const { appId, publishableKey, secretKey } = service.demo;
    lines.push(
      '',
      'A demo app was made. Its test keys are shown now and never again:',
      table([
        ['  app', appId],
        ['  publishable key', publishableKey],
        ['  secret key', secretKey],
      ]),
      '',
      'See a sign-in, in another terminal:  npm run demo',
    );
  }
  return `\n${lines.join('\n')}\n`;
}
