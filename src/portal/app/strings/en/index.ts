/**
 * All texts of the portal in English. The type of the other languages comes from it, so one that lacks a text does not
 * compile. `code` stands between backticks.
 */
import * as apps from './apps.ts';
import * as people from './people.ts';
import * as shell from './shell.ts';
import * as users from './users.ts';

export const en = { ...shell, ...apps, ...people, ...users };
export type Strings = typeof en;
