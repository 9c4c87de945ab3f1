/** How a command is typed: in the executable by its name, in the source through npm. */
import { IS_PACKED } from './assets.ts';

export const CLI = IS_PACKED ? 'face-sign-in' : 'npm run -s cli --';
export const DEMO = IS_PACKED ? 'face-sign-in demo' : 'npm run demo';
