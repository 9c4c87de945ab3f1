/**
 * `app add-origin` and `app remove-origin`: change single origins, while `app update --origin` replaces the whole list.
 * Held by test/cli/app-origins.test.ts.
 */

import { addOrigins, removeOrigins } from '../../domain/operating/apps.ts';
import { originWarnings } from '../../operations/app-fields.ts';
import { appDocument, appLines } from '../../operations/apps.ts';
import { appView } from '../../operations/views.ts';
import { audited } from '../audited.ts';
import type { Command, Invocation, Result } from '../command.ts';
import { linesOf } from '../operation-text.ts';
import { withAdmin } from '../with-admin.ts';

export const APP_ORIGIN_COMMANDS: readonly Command[] = [
  {
    name: 'app add-origin',
    usage: 'APP_ID ORIGIN…',
    about: 'Lets more pages use the publishable keys of an app. Origins that are already listed stay.',
    words: ['APP_ID', 'ORIGIN…'],
    examples: ['app add-origin APP_ID https://shop.example https://www.shop.example'],
    run: async invocation => {
      const done = await change(invocation, 'app.origins.add', addOrigins);
      const [, ...origins] = invocation.words;
      for (const warning of originWarnings({ allowed_origins: origins })) invocation.warn(warning);
      return done;
    },
  },
  {
    name: 'app remove-origin',
    usage: 'APP_ID ORIGIN…',
    about: 'Removes pages from the list of an app. Its live publishable keys stop working there at once.',
    words: ['APP_ID', 'ORIGIN…'],
    examples: ['app remove-origin APP_ID https://old.example'],
    run: invocation => change(invocation, 'app.origins.remove', removeOrigins),
  },
];

async function change(invocation: Invocation, action: string, verb: typeof addOrigins): Promise<Result> {
  const [id = '', ...origins] = invocation.words;
  const record = await withAdmin(invocation, deps =>
    audited(deps, { action, target: id, appId: id }, to => verb(to, id, origins)),
  );
  const app = appView(record);
  return { json: appDocument(app), text: linesOf(appLines(app)) };
}
