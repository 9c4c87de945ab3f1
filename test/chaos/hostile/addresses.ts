/** Those who claim to be many, or somebody else, by X-Forwarded-For. */
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, keepUp, newAccount, strike } from './attack.ts';
import type { Target } from './target.ts';

export const LIMIT = 30;
const MANY = 10_000;
const CONNECTIONS = 20;
const PATIENCE_MS = 50_000;

/** The n-th address of a kind. */
const v4 = (first: number) => (n: number) => `${first}.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** Requests that claim to come by these addresses; counts of all are in the account. */
async function claims(
  { base, app }: Target,
  account: Account,
  path: string,
  count: number,
  forwarded: (n: number) => string,
): Promise<void> {
  const share = count / CONNECTIONS;
  const usual = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Svc-Key: ${app.live.pk}\r\nOrigin: ${app.origin}\r\n`;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, connection) => {
      let n = connection * share;
      const next = (socket: Socket) => {
        socket.write(`${usual}X-Forwarded-For: ${forwarded(n++)}\r\nContent-Length: 0\r\n\r\n`);
        return undefined;
      };
      return strike(base, account, { patienceMs: PATIENCE_MS, answers: share, begin: next, again: next });
    }),
  );
}

/** So many answers of each kind. */
const exactly = (name: string, wanted: () => Readonly<Record<string, number>>) =>
  newAccount(name, ({ answers }) => {
    const all = wanted();
    return [...new Set([...Object.keys(all), ...answers.keys()])]
      .filter(kind => all[kind] !== answers.get(kind))
      .map(kind => `${answers.get(kind) ?? 0} × ${kind} instead of ${all[kind] ?? 0}`);
  });

const limited = () => ({ '200': LIMIT, '429 rate_limited': MANY - LIMIT });

/** No proxy is trusted: the header changes nothing, all are one client. */
export async function untrusted(target: Target): Promise<Account[]> {
  const name = `TRUST_PROXY=0: ${MANY} requests by as many claimed addresses, ${LIMIT} pass`;
  const account = exactly(name, limited);
  await claims(target, account, '/v1/challenges', MANY, v4(10));
  return [account];
}

/** One proxy is trusted: what it reports, the last address, counts; what stands before it is the client's word. */
export async function trusted(target: Target, seconds: number): Promise<Account[]> {
  const proxied = (what: string, wanted: () => Record<string, number>) =>
    exactly(`TRUST_PROXY=1: ${what}`, wanted);
  const many = proxied(`${MANY} requests by as many reported addresses, all pass`, () => ({ '200': MANY }));
  await claims(target, many, '/v1/challenges', MANY, n => `203.0.113.9, ${v4(10)(n)}`);
  const spoofed = proxied(`${MANY} claimed before one reported address, ${LIMIT} pass`, limited);
  await claims(target, spoofed, '/v1/challenges', MANY, n => `${v4(11)(n)}, 203.0.113.10`);
  const network = proxied(`${MANY} reported addresses of one IPv6 /64, ${LIMIT} pass`, limited);
  await claims(target, network, '/v1/challenges', MANY, n => `2001:db8:1:1::${n.toString(16)}`);
  let round = 0;
  const each = `${seconds} s of ever new reported addresses, each counted by itself`;
  const flood = proxied(each, () => ({ '400 invalid_request': round * MANY }));
  await keepUp(seconds, 1, () => {
    const first = ++round * MANY;
    // Counted, and refused only then: no body.
    return claims(target, flood, '/v1/match', MANY, n => v4(12)(first + n));
  });
  // A window lives for a minute after its first request; then nothing of the addresses may be left.
  await delay(60_000);
  return [many, spoofed, network, flood];
}
