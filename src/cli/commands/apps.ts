/**
 * Of an app: single origins, while `app update --origin` replaces the whole list; the encoder of its templates; fresh
 * keys for its data. Held by test/cli/app-origins.test.ts, app-encoder.long.test.ts and rekey.long.test.ts.
 */
import { addOrigins, removeOrigins } from '../../domain/operating/apps.ts';
import {
  type EncoderState,
  encoderState,
  type GalleryKey,
  nameEncoder,
  type ResetDone,
  resetEncoder,
} from '../../domain/operating/encoder.ts';
import { type Rekeyed, rekeyAll, rekeyApp, SIGNING_KEYS } from '../../domain/rekeying.ts';
import { originWarnings } from '../../operations/app-fields.ts';
import { appDocument, appLines } from '../../operations/apps.ts';
import { appView } from '../../operations/views.ts';
import { counted } from '../../protocol/amounts.ts';
import type { Mode } from '../../protocol/mode.ts';
import { audited } from '../audited.ts';
import {
  APP_OPTION,
  type Command,
  CommandFailed,
  type Invocation,
  MODE_OPTION,
  type Result,
  required,
  WrongUsage,
} from '../command.ts';
import { linesOf } from '../operation-text.ts';
import { count, table } from '../table.ts';
import { withAdmin } from '../with-admin.ts';

export const APP_ORIGIN_COMMANDS: readonly Command[] = [
  {
    name: 'app add-origin',
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

const ENCODER_OPTION = {
  type: 'string',
  value: 'ID',
  meaning: "The encoder's id, as pages send it.",
} as const;

const OPTIONS = {
  app: { ...APP_OPTION, isRequired: true },
  mode: { ...MODE_OPTION, meaning: 'Live or test users.', isRequired: true },
} as const;

export const APP_ENCODER_COMMANDS: readonly Command[] = [
  {
    name: 'app encoder show',
    about:
      "Shows which face encoder made an app's templates in one mode. It was set by the operator, or else by the first enrollment that named one; requests that name another are refused with encoder_mismatch.",
    options: OPTIONS,
    examples: ['app encoder show --app APP_ID --mode live'],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const state = await withAdmin(invocation, deps => encoderState(deps, gallery));
      const { encoder, users, templates } = state;
      const text = table([
        ['app', gallery.appId],
        ['mode', gallery.mode],
        ['encoder', encoder ?? unnamed(gallery, state)],
        ['users', count(users)],
        ['templates', count(templates)],
      ]);
      return { json: { ...keys(gallery), encoder, users, templates }, text };
    },
  },
  {
    name: 'app encoder set',
    about: [
      'Sets the face encoder of an app in one mode. Do this before you publish the page: otherwise the first enrollment decides, whoever sends it.',
      'If the app has templates that were enrolled without naming an encoder, set the one that made them. Refused if the app has templates of another encoder.',
    ].join(' '),
    options: { ...OPTIONS, encoder: { ...ENCODER_OPTION, isRequired: true } },
    examples: ['app encoder set --app APP_ID --mode live --encoder mobilefacenet-1'],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const encoder = required(invocation, 'encoder');
      const named = await withAdmin(invocation, deps => {
        const action = { action: 'app.encoder.set', target: gallery.appId, appId: gallery.appId };
        return audited(deps, action, to => nameEncoder(to, gallery, encoder));
      });
      if (named.outcome === 'other_encoder') throw otherEncoder(gallery, named);
      const { users, templates, previous } = named;
      const text = `${gallery.appId} (${gallery.mode}) uses the encoder "${encoder}"; ${counted(templates, 'template')} of ${counted(users, 'user')}`;
      return { json: { ...keys(gallery), encoder, previous, users, templates }, text };
    },
  },
  {
    name: 'app encoder reset',
    usage: '--app ID --mode live|test [--encoder ID] [--erase-templates --yes]',
    about: [
      'Replaces the encoder of an app in one mode, or forgets it if --encoder is not given.',
      'Use it with --erase-templates to change encoders: every face template of that mode is erased for good. Users, consents and events stay. Each user signs in by email code and adds a face again.',
      'Without --erase-templates the templates stay. Use that only to correct the name of the encoder that made them.',
    ].join(' '),
    options: {
      ...OPTIONS,
      encoder: {
        ...ENCODER_OPTION,
        meaning:
          'The new encoder, set at once. Without it the first enrollment after the templates are erased decides.',
      },
      'erase-templates': { type: 'boolean', meaning: 'Also erase every template of the app in this mode.' },
      yes: {
        type: 'boolean',
        meaning: 'Required with --erase-templates: confirms that the templates are gone for good.',
      },
    },
    examples: [
      'app encoder reset --app APP_ID --mode live --encoder mobilefacenet-2 --erase-templates --yes',
      'app encoder reset --app APP_ID --mode test',
    ],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const erase = invocation.options['erase-templates'] === true;
      if (erase && invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required with --erase-templates: every ${gallery.mode} template of the app is erased for good; use: ${invocation.usage}`,
        );
      const next = invocation.options.encoder === undefined ? null : required(invocation, 'encoder');
      const progress = invocation.progress('erase templates');
      const done = await withAdmin(invocation, deps => {
        const action = { action: 'app.encoder.reset', target: gallery.appId, appId: gallery.appId };
        return audited(deps, action, to => resetEncoder(to, gallery, next, erase, progress.at));
      });
      if (!erase && done.templates > 0) invocation.warn(warning(gallery, done));
      const { previous, erasedTemplates: erased_templates, users, templates } = done;
      const json = { ...keys(gallery), encoder: next, previous, erased_templates, users, templates };
      return { json, text: summary(gallery, done, next, erase) };
    },
  },
];

function otherEncoder(
  gallery: GalleryKey,
  { users, templates, remembered }: { users: number; templates: number; remembered: string | null },
): CommandFailed {
  return new CommandFailed(
    `the app has ${counted(templates, `${gallery.mode} template`)} of ${counted(users, 'user')}, made by "${remembered}"; to erase them and set another encoder use "app encoder reset ${optionsOf(gallery)} --encoder ID --erase-templates --yes"`,
  );
}

function galleryOf(invocation: Invocation): GalleryKey {
  return { appId: required(invocation, 'app'), mode: required(invocation, 'mode') as Mode };
}

const keys = ({ appId, mode }: GalleryKey) => ({ app_id: appId, mode });

function summary(
  { appId, mode }: GalleryKey,
  { previous, erasedTemplates }: ResetDone,
  next: string | null,
  erase: boolean,
): string {
  const forgot =
    previous === null
      ? `${appId} (${mode}) remembered no encoder`
      : `${appId} (${mode}) no longer remembers the encoder "${previous}"`;
  const set = next === null ? '' : `; it uses "${next}" from now on`;
  return erase ? `${forgot}${set}; ${counted(erasedTemplates, 'template')} erased` : `${forgot}${set}`;
}

const optionsOf = ({ appId, mode }: GalleryKey) => `--app ${appId} --mode ${mode}`;

/** What `show` prints if no encoder is set: who decides, and how to set one. */
function unnamed(gallery: GalleryKey, { templates }: EncoderState): string {
  const set = `set it with "app encoder set ${optionsOf(gallery)} --encoder ID"`;
  return templates === 0
    ? `(none: the first enrollment that names one decides, whoever sends it; ${set})`
    : `(none: the encoder of these templates was never named, or was reset; enrollments no longer set one; ${set})`;
}

function warning({ appId, mode }: GalleryKey, { users, templates }: ResetDone): string {
  return `Kept ${counted(templates, 'template')} of ${counted(users, 'user')}. Templates of another encoder cannot be compared with new ones, and the wrong person may get in. Erase them with "app encoder reset ${optionsOf({ appId, mode })} --erase-templates --yes".`;
}

export const APP_REKEY: Command = {
  name: 'app rekey',
  usage: '--app ID | --all',
  about: [
    'Encrypts templates and personal fields of an app (--all: of every app, and the private signing keys) with a fresh key and destroys the old key. The server may keep running.',
    'If interrupted, the next run finishes it, or the job data-keys of the server.',
    'After a theft of database and master secret, run "master-secret rotate", then "app rekey --all": the stolen secret no longer opens this database. It still opens copies that were made before.',
  ].join(' '),
  options: {
    app: {
      type: 'string',
      value: 'ID',
      completes: 'app',
      meaning: 'The app whose templates and personal fields get a fresh key.',
    },
    all: { type: 'boolean', meaning: 'Every app, and the private signing keys.' },
  },
  examples: ['app rekey --app APP_ID', 'app rekey --all'],
  run: async ({ options, usage, ...invocation }) => {
    const { app, all } = options;
    if ((typeof app === 'string' && app !== '') === (all === true))
      throw new WrongUsage(`give either --app ID or --all; use: ${usage}`);
    const progress = invocation.progress('rekey');
    const rekeyed = await withAdmin({ ...invocation, options, usage }, deps => {
      const appId = all ? null : String(app);
      return audited(deps, { action: 'app.rekey', target: appId, appId }, to =>
        all ? rekeyAll(to, progress.at) : rekeyApp(to, String(app), progress.at),
      );
    });
    const json = rekeyed.map(({ owner, values, unreadable, resumed }) => ({
      ...{ owner, values, unreadable, resumed },
    }));
    return {
      json: { rekeyed: json },
      text: rekeyed.map(line).join('\n') || 'nothing to encrypt: there are no users and no signing keys yet',
    };
  },
};

function line({ owner, values, unreadable, resumed }: Rekeyed): string {
  const what = owner === SIGNING_KEYS ? 'signing keys' : `values of ${owner}`;
  const left =
    unreadable === 0 ? '' : `; ${unreadable} cannot be decrypted and stay as they are: run "doctor"`;
  return `${values} ${what} are encrypted with a fresh key${resumed ? ' (finishing an interrupted run)' : ''}${left}`;
}
