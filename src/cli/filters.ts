/** Options that several commands share: which app, which mode, how many. */
import { MODES } from '../protocol/mode.ts';

export const APP_OPTION = {
  type: 'string',
  value: 'ID',
  completes: 'app',
  meaning: 'The app, by its id; "app list" shows them.',
} as const;

export const MODE_OPTION = { type: 'string', values: MODES, meaning: 'Only this mode.' } as const;
