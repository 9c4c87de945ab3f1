/** app encoder: shows, sets or resets the encoder of an app's templates. Held by test/cli/app-encoder.long.test.ts. */

import {
  type EncoderState,
  encoderState,
  type GalleryKey,
  nameEncoder,
  type ResetDone,
  resetEncoder,
} from '../../domain/operating/encoder.ts';
import { counted } from '../../protocol/amounts.ts';
import { MODES } from '../../protocol/mode.ts';
import { audited } from '../audited.ts';
import {
  type Command,
  CommandFailed,
  type Invocation,
  required,
  requiredOneOf,
  WrongUsage,
} from '../command.ts';
import { APP_OPTION, MODE_OPTION } from '../filters.ts';
import { count, table } from '../table.ts';
import { withAdmin } from '../with-admin.ts';

const ENCODER_OPTION = {
  type: 'string',
  value: 'ID',
  meaning: "The encoder's id, as pages send it.",
} as const;

const OPTIONS = { app: APP_OPTION, mode: { ...MODE_OPTION, meaning: 'Live or test users.' } } as const;

export const APP_ENCODER_COMMANDS: readonly Command[] = [
  {
    name: 'app encoder show',
    usage: '--app ID --mode live|test',
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
    usage: '--app ID --mode live|test --encoder ID',
    about: [
      'Sets the face encoder of an app in one mode. Do this before you publish the page: otherwise the first enrollment decides, whoever sends it.',
      'If the app has templates that were enrolled without naming an encoder, set the one that made them. Refused if the app has templates of another encoder.',
    ].join(' '),
    options: { ...OPTIONS, encoder: ENCODER_OPTION },
    examples: ['app encoder set --app APP_ID --mode live --encoder mobilefacenet-1'],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const encoder = required(invocation, 'encoder');
      const { users, templates, previous } = await withAdmin(invocation, deps =>
        audited(
          deps,
          { action: 'app.encoder.set', target: gallery.appId, appId: gallery.appId },
          async to => {
            const named = await nameEncoder(to, gallery, encoder);
            if (named.outcome === 'other_encoder') throw otherEncoder(gallery, named);
            return named;
          },
        ),
      );
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
  return { appId: required(invocation, 'app'), mode: requiredOneOf(invocation, 'mode', MODES) };
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
