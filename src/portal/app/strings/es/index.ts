import type { Strings } from '../en/index.ts';
import { en } from '../en/index.ts';
export const es: Strings = en;
