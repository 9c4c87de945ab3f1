/** How users type a command: by the name of the executable, or through npm when running from source. */
import { IS_PACKED } from './assets.ts';

export const CLI = IS_PACKED ? 'face-sign-in' : 'npm run -s cli --';
export const DEMO = IS_PACKED ? 'face-sign-in demo' : 'npm run demo';

/** The default of PORTAL_PORT. */
const PORTAL_PORT = '8081';

/**
 * For commands that print links to the portal: another shell may not have the settings of the server.
 * @param dataDir null for the default, and on pages, which name no folder of the machine
 */
export function portalCli(url: string, dataDir: string | null = null): string {
  const { hostname, port } = new URL(url);
  if (dataDir !== null) return `DATA_DIR=${quoted(dataDir)} ${portalCli(url)}`;
  if (hostname !== 'localhost') return `PORTAL_URL=${url} ${CLI}`;
  return port === PORTAL_PORT ? CLI : `PORTAL_PORT=${port} ${CLI}`;
}

/** As a shell reads it. */
const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
