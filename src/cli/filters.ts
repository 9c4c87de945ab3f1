/** Options that several commands share. */
import { MODES } from '../protocol/mode.ts';

export const APP_OPTION = {
  type: 'string',
  value: 'ID',
  completes: 'app',
  meaning: 'Id of the app; "app list" shows the ids.',
} as const;

export const MODE_OPTION = { type: 'string', values: MODES, meaning: 'Only this mode.' } as const;
