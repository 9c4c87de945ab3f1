/**
 * Do response times reveal whether an email address is registered? Requests codes, half of them for users' addresses
 * and half for unknown addresses, in random order, from the running service with a mail server that takes 300 ms. Every
 * user is used once. The gate: every answer is 202, and exactly the users got a message.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { NO_LIMITS } from '../../test/support/no-limits.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { median, quantile, sample, welch } from '../measure.ts';
import { enrollAll, liveKey, ORIGIN } from '../service/enrolled.ts';
import { listening, startServer, stop } from '../service/servers.ts';
import type { Row } from '../table.ts';

const USERS = 10_000;
const CONNECTIONS = 200;
const MAIL_DELAY_MS = 300;
/** Above this the two kinds of answers can be distinguished. */
const T_LIMIT = 4.5;

interface CodeRequest {
  readonly known: boolean;
  readonly email: string;
}

export async function enumeration(): Promise<Row[]> {
  let accepted = 0;
  const mail = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      accepted += 1;
      response.end();
    }, MAIL_DELAY_MS);
  });
  await new Promise<void>(done => mail.listen(0, '127.0.0.1', done));
  const MAIL_URL = `http://127.0.0.1:${(mail.address() as AddressInfo).port}/`;
  const env = { ...NO_LIMITS, DATA_DIR: tempFolder(), PORT: '0', PORTAL_PORT: '0', MAIL_URL };
  const key = await liveKey(env);
  const server = startServer(['src/main.ts', 'serve'], { ...process.env, ...env });
  try {
    const address = await listening(server, /"api":"([^"]+)"/);
    console.error(`enrolling ${USERS} users …`);
    await enrollAll(address, key, USERS);
    console.error(`requesting ${2 * USERS} codes …`);
    const times = await requestCodes(address, key, shuffled());
    await delay(2 * MAIL_DELAY_MS);
    if (accepted !== USERS) throw new Error(`${accepted} messages were sent, not ${USERS}`);
    return rows(times.known, times.unknown);
  } finally {
    await stop(server);
    mail.close();
    mail.closeAllConnections();
  }
}

/** Addresses of both kinds, of one length and shape, in random order. */
function shuffled(): CodeRequest[] {
  const all = Array.from({ length: USERS }, (_, i) => [
    { known: true, email: `user${i}@example.com` },
    { known: false, email: `none${i}@example.com` },
  ]).flat();
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j] as CodeRequest, all[i] as CodeRequest];
  }
  return all;
}

async function requestCodes(
  address: string,
  key: string,
  waiting: CodeRequest[],
): Promise<{ known: number[]; unknown: number[] }> {
  const pool = new Pool(address, { connections: CONNECTIONS });
  const headers = { origin: ORIGIN, 'x-svc-key': key, 'content-type': 'application/json' };
  const times = { known: [] as number[], unknown: [] as number[] };
  const work = async () => {
    // Spread the start, or every answer waits for a crowd of simultaneous requests.
    await delay(Math.random() * 1_000);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const began = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/email-codes',
        headers,
        body: JSON.stringify({ email: next.email }),
      });
      await body.dump();
      times[next.known ? 'known' : 'unknown'].push(performance.now() - began);
      if (statusCode !== 202)
        throw new Error(`${statusCode} for an address that is ${next.known ? 'registered' : 'unknown'}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.close();
  return times;
}

function rows(known: readonly number[], unknown: readonly number[]): Row[] {
  const t = welch(sample(known), sample(unknown));
  const verdict = Math.abs(t) < T_LIMIT ? 'no measurable difference' : 'THEY DIFFER';
  return [
    { address: 'known', ...figures(known), welch_t: t, verdict },
    { address: 'unknown', ...figures(unknown), welch_t: t, verdict },
  ];
}

function figures(values: readonly number[]): Row {
  const { n, mean, variance } = sample(values);
  return {
    requests: n,
    mean_ms: mean.toFixed(3),
    deviation_ms: Math.sqrt(variance).toFixed(3),
    median_ms: median(values).toFixed(3),
    p99_ms: quantile(values, 0.99).toFixed(3),
  };
}
