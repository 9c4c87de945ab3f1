/**
 * Settings that are allowed and yet unwise: told at the start and by `doctor`, as warnings, because a network of one's own
 * may be a reason for them. Held by test/domain/setting-warnings.test.ts and test/cli/warnings.test.ts.
 */
import { isLoopback } from './values.ts';

export interface SettingWarning {
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
      message: `BASE_URL is ${baseUrl}, without TLS: faces, codes and tokens can be read on their way, and browsers allow the camera on https pages only.`,
      fix: 'Put a proxy with TLS in front, and set BASE_URL to its https address.',
    });
  if (demo && !isLoopback(host))
    warnings.push({
      setting: 'DEMO',
      message: `DEMO is on and HOST is ${JSON.stringify(host)}: whoever reaches this address can use the demo app.`,
      fix: 'Set DEMO=off, and delete the demo app if there is one.',
    });
  return warnings;
}

/** An http address, or origin, that leads beyond this machine. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'http:' && !isLoopback(host) && !host.endsWith('.localhost');
}
