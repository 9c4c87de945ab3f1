/** Rules that involve several settings. Each names the setting to change. Held by test/settings/config.test.ts. */
import { DEFAULT_THRESHOLD, HIGHEST_SAFE_THRESHOLD } from '../domain/scores/threshold.ts';
import type { SettingValues } from './table.ts';
import { isLoopback, SettingFault } from './values.ts';

type Rule = (values: SettingValues) => SettingFault | null;

const safeThreshold: Rule = ({ matchThreshold, isUnsafeThresholdAllowed }) =>
  matchThreshold <= HIGHEST_SAFE_THRESHOLD || isUnsafeThresholdAllowed
    ? null
    : new SettingFault(
        'MATCH_THRESHOLD',
        `is ${matchThreshold}, above ${HIGHEST_SAFE_THRESHOLD}: strangers would sign in as your users (set MATCH_THRESHOLD_UNSAFE=yes to run an experiment anyway)`,
        String(DEFAULT_THRESHOLD),
      );

const privateDemo: Rule = ({ demo, portalHost }) =>
  !demo || isLoopback(portalHost)
    ? null
    : new SettingFault(
        'DEMO',
        `must be off if PORTAL_HOST is ${JSON.stringify(portalHost)}: others could sign in to the demo app from there`,
        'off',
      );

/** Its key would be unknown to the next node. */
const demoInFile: Rule = ({ demo, database }) =>
  !demo || database.kind === 'sqlite'
    ? null
    : new SettingFault('DEMO', 'must be off with postgres://: its pages work on a single node', 'off');

const knownAddress: Rule = ({ baseUrl, host }) =>
  baseUrl !== null || isLoopback(host)
    ? null
    : new SettingFault(
        'BASE_URL',
        `is required if HOST is ${JSON.stringify(host)}: it is the address that clients use`,
        'https://face.example',
      );

const ownPorts: Rule = ({ port, portalPort }) =>
  port === 0 || port !== portalPort
    ? null
    : new SettingFault(
        'PORTAL_PORT',
        `is ${port}, and so is PORT: the API and the portal need different ports`,
        port === 8081 ? '8082' : '8081',
      );

const knownPortal: Rule = ({ portalUrl, portalHost }) => {
  if (isLoopback(portalHost) || portalUrl?.startsWith('https:')) return null;
  const host = JSON.stringify(portalHost);
  const fault = portalUrl === null ? 'is required' : 'must be an https address';
  return new SettingFault(
    'PORTAL_URL',
    `${fault} if PORTAL_HOST is ${host}: operators sign in there, by passkeys that belong to this address`,
    'https://portal.example',
  );
};

const RULES: readonly Rule[] = [safeThreshold, privateDemo, demoInFile, knownAddress, ownPorts, knownPortal];

/** @throws SettingFault */
export function requireRules(values: SettingValues): void {
  for (const rule of RULES) {
    const fault = rule(values);
    if (fault) throw fault;
  }
}
