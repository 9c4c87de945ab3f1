/** `app …`: create, list, show, update and delete apps. */

import { newId } from '../../domain/ids.ts';
import {
  type AppFields,
  type AppRecord,
  createApp,
  deleteApp,
  findApp,
  listApps,
  updateApp,
} from '../../domain/operating/apps.ts';
import { appView } from '../../operations/views.ts';
import { shownDatabase } from '../../settings/database.ts';
import { isUnencrypted } from '../../settings/warnings.ts';
import { audited } from '../audited.ts';
import { type Command, type Invocation, required, WrongUsage } from '../command.ts';
import { listing, table } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

const FIELDS = {
  name: {
    type: 'string',
    value: 'N',
    meaning: 'The name that users and operators see: 1 to 100 characters.',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'O',
    meaning: 'Origin of a page that may use the publishable keys, such as https://shop.example.',
  },
  'first-party': {
    type: 'boolean',
    meaning: 'Set tokens as a cookie too (--no-first-party: do not).',
  },
  team: {
    type: 'string',
    value: 'TEAM_ID',
    meaning: 'The team that owns the app (default: the first team). "team list" shows them.',
  },
  plan: { type: 'string', value: 'P', meaning: 'Name of the plan, which limits monthly sign-ins and keys.' },
} as const;

export const APP_COMMANDS: readonly Command[] = [
  {
    name: 'app create',
    usage: '--name N [--origin O]… [--first-party] [--plan P] [--team TEAM_ID]',
    about:
      'Creates an app. Pages on the given origins may use its publishable keys. Plans: free (default), standard, unlimited, or those of PLANS_FILE. A first-party app also gets its tokens as a cookie.',
    options: FIELDS,
    examples: [
      'app create --name Shop --origin https://shop.example',
      'app create --name Shop --origin https://shop.example --first-party --plan standard',
    ],
    run: async invocation => {
      const fields = { ...fieldsOf(invocation), name: required(invocation, 'name') };
      const app = await withAdmin(invocation, deps => {
        const id = newId(deps.random, 'app');
        return audited(deps, { action: 'app.create', ...of(id) }, to => createApp(to, { ...fields, id }));
      });
      warnOfOrigins(invocation, fields.allowedOrigins);
      return { json: { app: appView(app) }, text: describe(app) };
    },
  },
  {
    name: 'app list',
    usage: '',
    about: 'Lists the apps.',
    examples: ['app list', 'app list --json'],
    run: async invocation => {
      const apps = await withAdmin(invocation, listApps);
      const rows = apps.map(app => [app.id, app.plan, when(app.createdAt), app.name]);
      const text =
        apps.length === 0
          ? `no apps yet in ${shownDatabase(invocation.config().database)}: create one with "app create --name N"`
          : listing(['ID', 'PLAN', 'CREATED', 'NAME'], rows, invocation.paint);
      return { json: { apps: apps.map(appView) }, text };
    },
  },
  {
    name: 'app show',
    usage: 'ID',
    about: 'Shows an app.',
    words: ['APP_ID'],
    examples: ['app show APP_ID'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      const app = await withAdmin(invocation, deps => findApp(deps, id));
      return { json: { app: appView(app) }, text: describe(app) };
    },
  },
  {
    name: 'app update',
    usage: 'ID [--name N] [--origin O]… [--first-party | --no-first-party] [--plan P] [--team TEAM_ID]',
    about: 'Changes an app. --origin replaces the whole list of origins.',
    words: ['APP_ID'],
    options: FIELDS,
    examples: [
      'app update APP_ID --plan standard',
      'app update APP_ID --origin https://a.example --origin https://b.example',
    ],
    run: async invocation => {
      const id = invocation.words[0] as string;
      const change = fieldsOf(invocation);
      if (Object.keys(change).length === 0)
        throw new WrongUsage(
          `nothing to change: give --name, --origin, --first-party, --no-first-party, --plan or --team; use: ${invocation.usage}`,
        );
      const app = await withAdmin(invocation, deps =>
        audited(deps, { action: 'app.update', ...of(id) }, to => updateApp(to, id, change)),
      );
      warnOfOrigins(invocation, change.allowedOrigins);
      return { json: { app: appView(app) }, text: describe(app) };
    },
  },
  {
    name: 'app delete',
    usage: 'ID --yes',
    about: 'Erases an app with its keys, users and templates. This cannot be undone.',
    words: ['APP_ID'],
    options: { yes: { type: 'boolean', meaning: 'Required: confirms that this cannot be undone.' } },
    examples: ['app delete APP_ID --yes'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      if (invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required: the app and all its users are erased for good; use: ${invocation.usage}`,
        );
      await withAdmin(invocation, deps =>
        audited(deps, { action: 'app.delete', ...of(id) }, to => deleteApp(to, id)),
      );
      return { json: { deleted: true }, text: `erased ${id}` };
    },
  },
];

/** For the audit log. */
export const of = (appId: string) => ({ target: appId, appId });

function fieldsOf({ options }: Invocation): Partial<AppFields> {
  const { name, origin, plan, team } = options;
  const firstParty = options['first-party'];
  return {
    ...(typeof name === 'string' && { name }),
    ...(Array.isArray(origin) && { allowedOrigins: origin as string[] }),
    ...(typeof firstParty === 'boolean' && { firstParty }),
    ...(typeof plan === 'string' && { plan }),
    ...(typeof team === 'string' && { teamId: team }),
  };
}

/** Browsers open the camera only on HTTPS pages and on localhost. */
export function warnOfOrigins({ warn }: Invocation, origins: readonly string[] = []): void {
  for (const origin of origins.filter(isUnencrypted))
    warn(
      `${origin} is not encrypted: browsers allow no camera there, and tokens can be read in transit; use ${origin.replace('http:', 'https:')}`,
    );
}

export function describe(app: AppRecord): string {
  return table([
    ['id', app.id],
    ['name', app.name],
    ['origins', app.allowedOrigins.join(' ') || '(none: live keys do not work in any page yet)'],
    ['first-party', app.firstParty ? 'yes' : 'no'],
    ['plan', app.plan],
    ['created', when(app.createdAt)],
  ]);
}
