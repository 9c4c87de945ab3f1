/**
 * Rules that involve several settings. What breaks one is refused; what is allowed but unwise, the start and `doctor`
 * only warn about, because there may be a reason on a private network. Held by test/settings/config.test.ts and
 * warnings.test.ts, and by test/cli/warnings.test.ts.
 */

import { isUnencrypted } from '../domain/origins.ts';
import { DEFAULT_THRESHOLD, HIGHEST_SAFE_THRESHOLD } from '../domain/scores/threshold.ts';
import type { SettingValues } from './table.ts';
import { isLoopback, SettingFault } from './values.ts';

/** The setting to change, its fault and an example; false: the rule is kept. */
type Rule = (values: SettingValues) => false | readonly [setting: string, fault: string, example: string];

const safeThreshold: Rule = ({ matchThreshold, isUnsafeThresholdAllowed }) =>
  matchThreshold > HIGHEST_SAFE_THRESHOLD &&
  !isUnsafeThresholdAllowed && [
    'MATCH_THRESHOLD',
    `is ${matchThreshold}, above ${HIGHEST_SAFE_THRESHOLD}: strangers would sign in as your users (set MATCH_THRESHOLD_UNSAFE=yes to run an experiment anyway)`,
    String(DEFAULT_THRESHOLD),
  ];

const privateDemo: Rule = ({ demo, portalHost }) =>
  demo &&
  !isLoopback(portalHost) && [
    'DEMO',
    `must be off if PORTAL_HOST is ${JSON.stringify(portalHost)}: others could sign in to the demo app from there`,
    'off',
  ];

/** Its key would be unknown to the next node. */
const demoInFile: Rule = ({ demo, database }) =>
  demo &&
  database.kind !== 'sqlite' && [
    'DEMO',
    'must be off with postgres://: its pages work on a single node',
    'off',
  ];

const knownAddress: Rule = ({ baseUrl, host }) =>
  baseUrl === null &&
  !isLoopback(host) && [
    'BASE_URL',
    `is required if HOST is ${JSON.stringify(host)}: it is the address that clients use`,
    'https://face.example',
  ];

const ownPorts: Rule = ({ port, portalPort }) =>
  port !== 0 &&
  port === portalPort && [
    'PORTAL_PORT',
    `is ${port}, and so is PORT: the API and the portal need different ports`,
    port === 8081 ? '8082' : '8081',
  ];

const knownPortal: Rule = ({ portalUrl, portalHost }) =>
  !isLoopback(portalHost) &&
  !portalUrl?.startsWith('https:') && [
    'PORTAL_URL',
    `${portalUrl === null ? 'is required' : 'must be an https address'} if PORTAL_HOST is ${JSON.stringify(portalHost)}: operators sign in there, by passkeys that belong to this address`,
    'https://portal.example',
  ];

const RULES: readonly Rule[] = [safeThreshold, privateDemo, demoInFile, knownAddress, ownPorts, knownPortal];

/** @throws SettingFault */
export function requireRules(values: SettingValues): void {
  for (const rule of RULES) {
    const fault = rule(values);
    if (fault) throw new SettingFault(...fault);
  }
}

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
