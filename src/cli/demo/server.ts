/** Finds the server for the demo: the one that runs with these settings, or else a temporary one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { type Config, type Environment, loadConfig } from '../../config.ts';
import { addressOf } from '../../service/listening.ts';
import { createService } from '../../service.ts';

const TIMEOUT_MS = 1_000;

export interface DemoServer {
  readonly address: string;
  readonly issuer: string;
  /** Where its database is. */
  readonly config: Config;
  readonly isOwn: boolean;
  close(): Promise<void>;
}

export async function findServer(config: Config, env: Environment): Promise<DemoServer> {
  const address = addressOf(config.host, config.port);
  if (config.port !== 0 && (await isHealthy(address))) {
    return { address, issuer: config.baseUrl ?? address, config, isOwn: false, close: async () => undefined };
  }
  return startOwn(env);
}

async function isHealthy(address: string): Promise<boolean> {
  try {
    const answer = await request(`${address}/health`, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const body = (await answer.body.json()) as { status?: unknown };
    return body.status === 'ok';
  } catch {
    return false;
  }
}

/** Starts a service in a temporary folder, which is deleted when the demo ends. */
async function startOwn(env: Environment): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-demo-'));
  const own = {
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    PORTAL_HOST: '127.0.0.1',
    PORTAL_PORT: '0',
    LOG_LEVEL: 'silent',
    DEMO: 'off',
  };
  const config = loadConfig({ ...env, ...own, DATABASE_URL: '', BASE_URL: '', MASTER_SECRET: '' });
  const service = await createService(config);
  const { api } = await service.listen();
  const close = async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { address: api, issuer: api, config, isOwn: true, close };
}
