/** A certificate that signs itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes certificate.pem and key.pem. @param host with its kind, DNS or IP @returns a file with both */
export function certificate(folder: string, host = 'DNS:face.example'): string {
  const args = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const pair = ['certificate.pem', 'key.pem'].map(name => join(folder, name));
  const files = ['-out', pair[0] as string, '-keyout', pair[1] as string];
  const subject = ['-subj', `/CN=${host.split(':')[1]}`, '-addext', `subjectAltName=${host}`];
  execFileSync('openssl', ['req', ...args, ...files, ...subject], { stdio: 'pipe' });
  const both = join(folder, 'both.pem');
  writeFileSync(both, pair.map(file => readFileSync(file, 'utf8')).join(''));
  return both;
}
