/** Debian's nginx under the configuration of src/packaging, with nothing changed but ports, paths and the certificate. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { answering, changed } from '../support/packaged.ts';
import { tempFolder } from '../support/process.ts';
import type { ProxyServer } from './proxied.ts';

const NGINX = '/usr/sbin/nginx';

/** @param service host and port; @throws Error when nginx is not installed, refuses the file, or is not there after five seconds */
export async function startNginx(service: string): Promise<ProxyServer> {
  const folder = tempFolder();
  const [plain, secure] = [await freePort(), await freePort()];
  for (const name of ['temp', 'log']) mkdirSync(join(folder, name));
  certificate(folder);
  const site = changed('nginx.conf', [
    ['server 127.0.0.1:8080;', `server ${service};`],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/ssl/face.example/fullchain.pem', join(folder, 'certificate.pem')],
    ['/etc/ssl/face.example/privkey.pem', join(folder, 'key.pem')],
    ['/var/log/nginx/face-sign-in.log', join(folder, 'log/access.log')],
  ]);
  writeFileSync(join(folder, 'site.conf'), site);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/log/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''} events {} http {
    ${places.map(place => `${place}_temp_path ${folder}/temp/${place};`).join(' ')} include ${folder}/site.conf; }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main);
  execFileSync(NGINX, ['-t', '-c', file, '-p', folder], { stdio: 'pipe' });
  const child = spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await answering(plain);
  return {
    plain,
    secure,
    log: () => readFileSync(join(folder, 'log/access.log'), 'utf8'),
    async stop() {
      child.kill('SIGQUIT');
      await ended;
    },
  };
}
