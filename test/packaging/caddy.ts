/** Debian's Caddy under the Caddyfile of src/packaging, with nothing changed but ports and where its certificate is from. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import type { ProxyServer } from './proxied.ts';

const CADDY = '/usr/bin/caddy';
export const CADDYFILE = join(ROOT, 'src/packaging/Caddyfile');

/** @throws Error with what Caddy says about the file */
export function validated(file: string): void {
  execFileSync(CADDY, ['validate', '--config', file, '--adapter', 'caddyfile'], { stdio: 'pipe' });
}

/** @param service host and port; @throws Error when Caddy refuses the file, or is not there after ten seconds */
export async function startCaddy(service: string): Promise<ProxyServer> {
  const text = readFileSync(CADDYFILE, 'utf8');
  return startSite(text, { DOMAIN: 'face.example', SERVICE: service });
}

/** @param text a Caddyfile with global options; @param secure the port of TLS; default: a free one; @throws like startCaddy */
export async function startSite(
  text: string,
  env: Readonly<Record<string, string>>,
  secure?: number,
): Promise<ProxyServer> {
  const folder = tempFolder();
  const plain = await freePort();
  const tls = secure ?? (await freePort());
  const options = [
    'admin off',
    'default_bind 127.0.0.1',
    `http_port ${plain}`,
    `https_port ${tls}`,
    'local_certs',
    'skip_install_trust',
    `storage file_system ${folder}`,
  ];
  const changed = text.replace(/^\{\n/m, `{\n${options.join('\n')}\n`);
  if (changed === text) throw new Error('the Caddyfile has no global options');
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, changed);
  const child = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { HOME: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    log += text;
  });
  for (let tries = 0; !log.includes('certificate obtained successfully'); tries++) {
    if (tries === 100 || child.exitCode !== null) throw new Error(`Caddy does not start: ${log}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return {
    plain,
    secure: tls,
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
