/** Rules broken in the source, so that `npm run breaks` can show that their tests notice. */
import type { Break } from './break.ts';
import { BREAKS_A } from './breaks-a.ts';
import { BREAKS_B } from './breaks-b.ts';
import { BREAKS_C } from './breaks-c.ts';
import { BREAKS_D } from './breaks-d.ts';
import { BREAKS_E } from './breaks-e.ts';
import { BREAKS_F } from './breaks-f.ts';
import { BREAKS_G } from './breaks-g.ts';

export const BREAKS: readonly Break[] = [
  ...BREAKS_A,
  ...BREAKS_B,
  ...BREAKS_C,
  ...BREAKS_D,
  ...BREAKS_E,
  ...BREAKS_F,
  ...BREAKS_G,
];
