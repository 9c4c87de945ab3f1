/** Debian's Prometheus under src/packaging/prometheus.yml, with nothing changed but the portal's port and the pace. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT, tempFolder } from '../support/process.ts';

const PACKAGING = join(ROOT, 'src/packaging');

export interface Prometheus {
  /** Answers a path of its API with the data. @throws Error with what it says */
  ask(path: string, query?: string): Promise<Json>;
  stop(): Promise<void>;
}

/** @param portal its address; @throws Error when it is not scraped within 30 seconds */
export async function startPrometheus(portal: string): Promise<Prometheus> {
  const folder = tempFolder();
  const text = readFileSync(join(PACKAGING, 'prometheus.yml'), 'utf8');
  const changed = text.replace(':8081', `:${new URL(portal).port}`).replaceAll(': 15s', ': 1s');
  writeFileSync(join(folder, 'prometheus.yml'), changed);
  copyFileSync(join(PACKAGING, 'alerts.yml'), join(folder, 'alerts.yml'));
  const port = await freePort();
  const flags = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const ended = once(child, 'exit');
  const ask: Prometheus['ask'] = async (path, query) => {
    const of = query === undefined ? '' : `?${new URLSearchParams({ query })}`;
    const answer = (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}${of}`)).json()) as Json;
    if (answer.status !== 'success') throw new Error(`${query ?? path}: ${answer.error}`);
    return answer.data;
  };
  const scraped = async () => {
    const { activeTargets } = await ask('targets');
    return activeTargets[0]?.health === 'up' && (await ask('query', 'up offset 2s')).result.length > 0;
  };
  for (let tries = 0; !(await scraped().catch(() => false)); tries++) {
    if (tries === 300 || child.exitCode !== null) throw new Error(`the portal is not scraped: ${said}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return {
    ask,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
