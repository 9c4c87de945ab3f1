/** A compose file of src/packaging as Docker Compose reads it, and what holds for each of them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { ROOT } from '../support/process.ts';

const TO_JSON = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';

export interface Composed {
  readonly folder: string;
  readonly services: Record<string, Json>;
  readonly volumes: Record<string, null>;
  readonly networks: Record<string, Json>;
}

export const fromYaml = (input: string): Json =>
  JSON.parse(execFileSync('/usr/bin/python3', ['-c', TO_JSON], { input, encoding: 'utf8' }));

/** @param folder of src/packaging */
export function composed(folder: string): Composed {
  const path = join(ROOT, 'src/packaging', folder);
  return { folder: path, ...fromYaml(readFileSync(join(path, 'compose.yml'), 'utf8')) };
}

/** `SERVICE PORTS` of everything that is reachable from outside. */
export const openPorts = ({ services }: Composed): string[] =>
  Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port: string) => `${name} ${port}`),
  );

/** The environment of a service, with these values in the file .env. */
export const settingsOf = ({ environment }: Json, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries<string>(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):[-?][^}]*\}/g, (_, variable) => values[variable] ?? ''),
    ]),
  );

/** @param own services that run the image of the Dockerfile; @param bind services that may open ports below 1024 */
export function assertNoRights(
  { services }: Composed,
  own: readonly string[],
  bind: readonly string[],
): void {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  for (const [name, service] of Object.entries(services)) {
    assert.is(service.read_only, true, name);
    assert.equal(service.cap_drop, ['ALL'], name);
    assert.equal(service.cap_add ?? [], bind.includes(name) ? ['NET_BIND_SERVICE'] : [], name);
    assert.equal(service.security_opt, ['no-new-privileges:true'], name);
    assert.not.ok(service.privileged ?? service.pid, name);
    assert.not.ok(['root', '0'].includes(String(service.user)), name);
    assert.is(service.restart, 'unless-stopped', name);
    if (!own.includes(name)) assert.match(service.image, /^docker\.io\/[a-z/]+:(v?\d+\.\d+|\d+@)/, name);
  }
  for (const name of own) {
    const { tmpfs, volumes, build, image } = services[name];
    for (const flag of [
      '--read-only',
      `--tmpfs ${tmpfs}`,
      '--cap-drop ALL',
      '--security-opt no-new-privileges',
    ])
      assert.ok(dockerfile.includes(flag), flag);
    assert.ok(
      volumes.some((mount: string) => mount.endsWith(':/data')),
      name,
    );
    assert.equal([build, image], ['../../..', 'face-sign-in'], name);
  }
  assert.match(dockerfile, /^VOLUME \/data$/m);
}

/** Every file that is mounted exists, every volume is declared, and all of them are used. @param made by operators */
export function assertMounts({ folder, services, volumes }: Composed, made: readonly string[] = []): void {
  const used = new Set<string>();
  for (const service of Object.values(services))
    for (const mount of service.volumes as string[]) {
      const [from = '', , mode] = mount.split(':');
      if (!from.startsWith('.')) used.add(from);
      else assert.ok(mode === 'ro' && (made.includes(from) || existsSync(join(folder, from))), mount);
    }
  assert.equal([...used].sort(), Object.keys(volumes).sort());
}
