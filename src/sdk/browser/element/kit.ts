/**
 * What the parts that are loaded later use of the rest. They are given it, and import only its type: what two parts
 * import becomes a file of its own, which every page would load. Held by test/sdk/browser-package.long.test.ts.
 */
import { withAddress } from './address.ts';
import { button, h, say } from './dom.ts';
import { form, textField } from './fields.ts';
import { filled } from './languages.ts';
import { adopt } from './sheets.ts';

export const KIT = { adopt, button, filled, form, h, say, textField, withAddress } as const;
export type Kit = typeof KIT;
