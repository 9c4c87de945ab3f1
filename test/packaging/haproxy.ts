/** Debian's HAProxy under src/packaging/cluster/haproxy.cfg, with nothing changed but addresses, paths and, if asked, times. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { answering, changed } from '../support/packaged.ts';
import { tempFolder } from '../support/process.ts';
import type { ProxyServer } from './proxied.ts';

const HAPROXY = '/usr/sbin/haproxy';

export interface Balancer extends ProxyServer {
  /** The port of the metrics. */
  readonly metrics: number;
}

export interface Change {
  readonly portal?: string;
  readonly also?: readonly (readonly [from: string, to: string])[];
}

/** @throws Error with what HAProxy says about the file */
export function accepted(file: string, env: Readonly<Record<string, string>> = {}): void {
  execFileSync(HAPROXY, ['-c', '-f', file], { stdio: 'pipe', env });
}

/** @param nodes host and port of each; @throws Error when HAProxy is not installed, or refuses the file */
export async function startHaproxy(nodes: readonly string[], change: Change = {}): Promise<Balancer> {
  const folder = tempFolder();
  const [plain, secure, metrics] = [await freePort(), await freePort(), await freePort()];
  const pem = certificate(folder);
  const three = [0, 1, 2].map(n => nodes[n % nodes.length] ?? '');
  const text = changed('cluster/haproxy.cfg', [
    ['log /dev/log local0', 'log stdout format raw local0'],
    ['    chroot /var/lib/haproxy\n    user haproxy\n    group haproxy\n', ''],
    ...three.map((node, n): [string, string] => [
      `setenv NODE${n + 1} 10.0.0.${n + 1}`,
      `setenv NODE${n + 1} ${node}`,
    ]),
    ...[1, 2, 3].map((n): [string, string] => [`"\${NODE${n}}:8080"`, `"\${NODE${n}}"`]),
    ['THIS_ADDRESS', '127.0.0.1'],
    [':9101', `:${metrics}`],
    ['127.0.0.1:8081', change.portal ?? '127.0.0.1:1'],
    ['bind :80', `bind 127.0.0.1:${plain}`],
    ['bind :443', `bind 127.0.0.1:${secure}`],
    ['/etc/ssl/face.example/haproxy.pem', pem],
    ...(change.also ?? []),
  ]);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  accepted(file);
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    log += text;
  });
  await answering(plain);
  return {
    plain,
    secure,
    metrics,
    log: () => log,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
