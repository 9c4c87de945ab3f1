/**
 * Finds settings that are allowed but unwise. The start and `doctor` only warn about them, because there may be a
 * reason on a private network. Held by test/settings/warnings.test.ts and test/cli/warnings.test.ts.
 */
import { isUnencrypted } from '../domain/origins.ts';
import { isLoopback } from './values.ts';

interface SettingWarning {
  readonly setting: string;
  readonly message: string;
  readonly fix: string;
}

interface Places {
  readonly baseUrl: string | null;
  readonly host: string;
  readonly demo: boolean;
}

export function unwiseSettings({ baseUrl, host, demo }: Places): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  if (baseUrl !== null && isUnencrypted(baseUrl))
    warnings.push({
      setting: 'BASE_URL',
      message: `BASE_URL is ${baseUrl}, without TLS: faces, codes and tokens can be read in transit, and browsers allow the camera only on https pages.`,
      fix: 'Put a proxy with TLS in front, and set BASE_URL to its https address.',
    });
  const place = publicPlace(baseUrl, host);
  if (demo && place !== null)
    warnings.push({
      setting: 'DEMO',
      message: `DEMO is on and ${place}: anyone who reaches this address can use the demo app.`,
      fix: 'Set DEMO=off, and delete the demo app if there is one.',
    });
  return warnings;
}

function isBeyond(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1');
  return !isLoopback(host) && !host.endsWith('.localhost');
}

/** The setting that makes the service reachable for others, directly or through a proxy; null: none does. */
function publicPlace(baseUrl: string | null, host: string): string | null {
  if (baseUrl !== null && isBeyond(baseUrl)) return `BASE_URL is ${baseUrl}`;
  return isLoopback(host) ? null : `HOST is ${JSON.stringify(host)}`;
}
