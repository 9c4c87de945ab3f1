/** All texts of the portal in Spanish. */
import type { Strings } from '../en/index.ts';
import * as apps from './apps.ts';
import * as people from './people.ts';
import * as shell from './shell.ts';
import * as users from './users.ts';

export const es: Strings = { ...shell, ...apps, ...people, ...users };
