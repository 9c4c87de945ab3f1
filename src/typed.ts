/** How users type a command: by the name of the executable, or through npm when running from source. */
import { IS_PACKED } from './assets.ts';

export const CLI = IS_PACKED ? 'face-sign-in' : 'npm run -s cli --';
export const DEMO = IS_PACKED ? 'face-sign-in demo' : 'npm run demo';

/** The default of PORTAL_PORT. */
const PORTAL_PORT = '8081';

/** For commands that print links to the portal: another shell may not have the settings of the server. */
export function portalCli(url: string): string {
  const { hostname, port } = new URL(url);
  if (hostname !== 'localhost') return `PORTAL_URL=${url} ${CLI}`;
  return port === PORTAL_PORT ? CLI : `PORTAL_PORT=${port} ${CLI}`;
}
