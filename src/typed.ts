/** How users type a command: by the name of the executable, or through npm when running from source. */
import { IS_PACKED } from './assets.ts';

export const CLI = IS_PACKED ? 'face-sign-in' : 'npm run -s cli --';
export const DEMO = IS_PACKED ? 'face-sign-in demo' : 'npm run demo';
