/**
 * Judges where a webhook goes: the form of its URL, and every address that its host has. The connector asks here with
 * the addresses that it then connects to, so a name cannot change in between. Held by test/webhooks/addresses.test.ts.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressSettings, type Standing, standingBy } from './addresses.ts';

/** The addresses of a name. Rejects if it does not resolve. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** An address that nothing is sent to. */
export class AddressRefused extends Error {}

export interface Targets {
  /** @returns the end of a sentence about the URL; null: there is nothing against it */
  faultOf(url: string): Promise<string | null>;
  /** @throws AddressRefused unless the address may be connected to */
  check(address: string, protocol: string): void;
  /** Resolves and checks, for a connection. */
  lookupFor(protocol: string): LookupFunction;
}

/** A name that took this long in vain is not asked for again for a while: few can be resolved at once. */
const SLOW_NAME_MS = 1_000;
const FORGET_MS = 30_000;

export function createTargets(settings: AddressSettings, resolve: Resolve = resolveName): Targets {
  const standing = standingBy(settings);
  const asked = askedOnce(resolve);

  const fault = (address: string, protocol: string): string | null => reasonOf(standing(address), protocol);

  function check(address: string, protocol: string): void {
    const reason = fault(address, protocol);
    if (reason) throw new AddressRefused(`${address} ${reason}`);
  }

  return {
    check,

    async faultOf(text) {
      const url = URL.canParse(text) ? new URL(text) : null;
      const form = url ? formFault(text, url) : 'is not a URL';
      if (!url || form) return form;
      const { protocol } = url;
      const host = bare(url.hostname);
      if (isIP(host)) {
        const reason = fault(host, protocol);
        return reason && `leads to ${host}, which ${reason}`;
      }
      const addresses = await asked(host).catch(() => []);
      const refused = addresses.find(({ address }) => fault(address, protocol));
      return refused ? `leads to ${refused.address}, which ${fault(refused.address, protocol)}` : null;
    },

    lookupFor: protocol => (name, options, done) => {
      asked(name).then(
        addresses => {
          try {
            for (const { address } of addresses) check(address, protocol);
          } catch (error) {
            done(error as Error, '');
            return;
          }
          const [first] = addresses as [LookupAddress];
          if (options.all) done(null, [...addresses]);
          else done(null, first.address, first.family);
        },
        error => done(error, ''),
      );
    },
  };
}

/** Why not; null: it may be connected to. */
function reasonOf(standing: Standing, protocol: string): string | null {
  if (standing === 'private') return 'is not a public address: list it in WEBHOOK_ALLOW to allow it';
  if (standing === 'public' && protocol !== 'https:') return 'may only be reached with https';
  return null;
}

function formFault(text: string, url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment (#…)';
  if (url.port === '0') return 'must not have port 0';
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain blanks or control characters';
  return null;
}

/** The host of a URL, without the brackets of IPv6 addresses. */
export const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

const resolveName: Resolve = name =>
  new Promise((done, fail) =>
    lookup(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
  );

/** A name that is being resolved is not asked for twice. */
function askedOnce(resolve: Resolve): Resolve {
  const asking = new Map<string, Promise<readonly LookupAddress[]>>();
  return name => {
    const known = asking.get(name);
    if (known) return known;
    const began = performance.now();
    const answer = resolve(name);
    asking.set(name, answer);
    const forget = () => void asking.delete(name);
    answer.then(forget, () => {
      if (performance.now() - began < SLOW_NAME_MS) forget();
      else setTimeout(forget, FORGET_MS).unref();
    });
    return answer;
  };
}
