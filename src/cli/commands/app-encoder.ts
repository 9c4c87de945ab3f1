/** `app encoder …`: which encoder made an app's templates, and how to change it. Held by test/cli/app-encoder.test.ts. */
import {
  encoderState,
  type GalleryKey,
  type ResetDone,
  resetEncoder,
} from '../../domain/operating/encoder.ts';
import { MODES } from '../../protocol/mode.ts';
import { type Command, type Invocation, required, requiredOneOf, WrongUsage } from '../command.ts';
import { APP_OPTION, MODE_OPTION } from '../filters.ts';
import { count, table } from '../table.ts';
import { withAdmin } from '../with-admin.ts';

const OPTIONS = { app: APP_OPTION, mode: { ...MODE_OPTION, meaning: 'Live or test users.' } } as const;

export const APP_ENCODER_COMMANDS: readonly Command[] = [
  {
    name: 'app encoder show',
    usage: '--app ID --mode live|test',
    about:
      "Shows which face encoder made an app's templates in one mode. It is the first one that an enrollment named; requests that name another are refused with encoder_mismatch.",
    words: [],
    options: OPTIONS,
    examples: ['app encoder show --app APP_ID --mode live'],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const { encoder, users, templates } = await withAdmin(invocation, deps => encoderState(deps, gallery));
      const text = table([
        ['app', gallery.appId],
        ['mode', gallery.mode],
        ['encoder', encoder ?? '(none: no enrollment has named one)'],
        ['users', count(users)],
        ['templates', count(templates)],
      ]);
      return { json: { ...keys(gallery), encoder, users, templates }, text };
    },
  },
  {
    name: 'app encoder reset',
    usage: '--app ID --mode live|test [--erase-templates --yes]',
    about: [
      'Forgets the encoder of an app in one mode: the next enrollment that names one sets it.',
      'Use it with --erase-templates to change encoders: every face template of that mode is erased for good. Users, consents and events stay. Each user signs in by email code and adds a face again.',
      'Without --erase-templates the templates stay. Use that only to correct the name of the encoder that made them.',
    ].join(' '),
    words: [],
    options: {
      ...OPTIONS,
      'erase-templates': { type: 'boolean', meaning: 'Also erase every template of the app in this mode.' },
      yes: {
        type: 'boolean',
        meaning: 'Required with --erase-templates: you know that nothing brings the templates back.',
      },
    },
    examples: [
      'app encoder reset --app APP_ID --mode live --erase-templates --yes',
      'app encoder reset --app APP_ID --mode test',
    ],
    run: async invocation => {
      const gallery = galleryOf(invocation);
      const erase = invocation.options['erase-templates'] === true;
      if (erase && invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required with --erase-templates: every ${gallery.mode} template of the app is erased for good; use: ${invocation.usage}`,
        );
      const progress = invocation.progress('erase templates');
      const done = await withAdmin(invocation, deps => resetEncoder(deps, gallery, erase, progress.at));
      if (!erase && done.templates > 0) invocation.warn(warning(gallery, done));
      const { previous, erasedTemplates: erased_templates, users, templates } = done;
      const json = { ...keys(gallery), encoder: null, previous, erased_templates, users, templates };
      return { json, text: summary(gallery, done, erase) };
    },
  },
];

function galleryOf(invocation: Invocation): GalleryKey {
  return { appId: required(invocation, 'app'), mode: requiredOneOf(invocation, 'mode', MODES) };
}

const keys = ({ appId, mode }: GalleryKey) => ({ app_id: appId, mode });

function summary(
  { appId, mode }: GalleryKey,
  { previous, erasedTemplates }: ResetDone,
  erase: boolean,
): string {
  const forgot =
    previous === null
      ? `${appId} (${mode}) remembered no encoder`
      : `${appId} (${mode}) no longer remembers the encoder "${previous}"`;
  return erase ? `${forgot}; ${erasedTemplates} templates erased` : forgot;
}

function warning({ appId, mode }: GalleryKey, { users, templates }: ResetDone): string {
  return `${templates} templates of ${users} users stay. If another encoder made them, they can no longer be compared, and mixed with new ones they make the app unsafe: the wrong person may get in. Erase them with "app encoder reset --app ${appId} --mode ${mode} --erase-templates --yes".`;
}
