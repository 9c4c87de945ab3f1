/**
 * `app add-origin` and `app remove-origin`: change single origins, while `app update --origin` replaces the whole list.
 * Held by test/cli/app-origins.test.ts.
 */

import { addOrigins, removeOrigins } from '../../domain/operating/apps.ts';
import { appView } from '../../operations/views.ts';
import { audited } from '../audited.ts';
import type { Command } from '../command.ts';
import { withAdmin } from '../with-admin.ts';
import { describe, of, warnOfOrigins } from './app.ts';

export const APP_ORIGIN_COMMANDS: readonly Command[] = [
  {
    name: 'app add-origin',
    usage: 'ID ORIGIN…',
    about: 'Lets more pages use the publishable keys of an app. Origins that are already listed stay.',
    words: ['APP_ID', 'ORIGIN…'],
    examples: ['app add-origin APP_ID https://shop.example https://www.shop.example'],
    run: async invocation => {
      const [id = '', ...origins] = invocation.words;
      const app = await withAdmin(invocation, deps =>
        audited(deps, { action: 'app.origins.add', ...of(id) }, to => addOrigins(to, id, origins)),
      );
      warnOfOrigins(invocation, origins);
      return { json: { app: appView(app) }, text: describe(app) };
    },
  },
  {
    name: 'app remove-origin',
    usage: 'ID ORIGIN…',
    about: 'Removes pages from the list of an app. Its live publishable keys stop working there at once.',
    words: ['APP_ID', 'ORIGIN…'],
    examples: ['app remove-origin APP_ID https://old.example'],
    run: async invocation => {
      const [id = '', ...origins] = invocation.words;
      const app = await withAdmin(invocation, deps =>
        audited(deps, { action: 'app.origins.remove', ...of(id) }, to => removeOrigins(to, id, origins)),
      );
      return { json: { app: appView(app) }, text: describe(app) };
    },
  },
];
