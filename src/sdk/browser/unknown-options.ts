/**
 * Warns of options that `createClient` does not have. Loaded when there are some. Held by
 * test/sdk/browser-options.test.ts.
 */
import type { ClientOptions } from './client-types.ts';
import { warnOfUnknown } from './near.ts';

const KNOWN: Readonly<Record<keyof ClientOptions, true>> = {
  publishableKey: true,
  baseUrl: true,
  encoder: true,
  capture: true,
  timeout: true,
  firstParty: true,
  fetch: true,
};

export const warnOf = (unknown: object) => warnOfUnknown('createClient', unknown, Object.keys(KNOWN));
