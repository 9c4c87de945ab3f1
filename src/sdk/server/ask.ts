/** Asks the service with the secret key. */
import { Fields } from '../fields.ts';
import { ServiceError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Request, request } from './request.ts';

/** @throws ServiceError */
export type Ask = (method: Request['method'], path: string, more?: Partial<Request>) => Promise<Fields>;

export function createAsk(settings: Settings): Ask {
  return async (method, path, more = {}) => {
    const { secretKey, baseUrl } = settings;
    if (secretKey === null) throw new TypeError('This needs the option secretKey.');
    const headers = { authorization: `Bearer ${secretKey}` };
    const { json } = await request(settings, { method, url: `${baseUrl}${path}`, headers, ...more });
    return new Fields(json ?? {}, unexpected, 'an object');
  };
}

export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

function unexpected(what: string): ServiceError {
  return new ServiceError(
    'unexpected_answer',
    `The answer lacks ${what}: is this the address of the service?`,
  );
}
