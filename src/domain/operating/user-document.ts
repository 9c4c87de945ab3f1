/**
 * All data stored about one person, as a document for that person, for a request for access or portability under data
 * protection law (GDPR, articles 15 and 20). Its format is stable: fields may be added, but none changes its meaning.
 * `user export --help` describes it. Held by test/cli/user-export.test.ts.
 */

import type { UserFile } from '../../ports/store.ts';
import {
  CODE_LIFETIME,
  DAY,
  EMAIL_CHANGE_LIFETIME,
  EVENTS_KEPT,
  HOUR,
  LOCKOUT_WINDOW,
  MINUTE,
  OUTBOX_KEPT,
  TEST_USER_LIFETIME,
} from '../../protocol/limits.ts';
import { iso } from '../../protocol/time.ts';
import { view } from '../../protocol/view.ts';
import type { AdminDeps } from '../deps.ts';
import { matchesKey } from '../limits/admission.ts';
import { codeRequestsKey, emailChangeKeys } from '../limits/code-limits.ts';
import { lockoutKey, refusedAddsKey } from '../limits/lockout.ts';
import { YEARS_WITHOUT_SIGN_IN } from '../retention.ts';
import { noSuch } from './fault.ts';

const FORMAT = 'face-sign-in/user/1';

/** @param withDescriptors includes the decrypted templates @throws OperatingFault not_found */
export async function userDocument(
  deps: AdminDeps,
  id: string,
  withDescriptors: boolean,
): Promise<{ readonly format: string; readonly exported_at: string; readonly [part: string]: unknown }> {
  const file = await deps.store.userFile(id, withDescriptors);
  if (!file) throw noSuch('user', id);
  const app = await deps.store.findApp(file.gallery.appId);
  const counters = await countersOf(deps, file);
  return {
    format: FORMAT,
    exported_at: iso(deps.clock.now()),
    app: { id: file.gallery.appId, name: app?.name ?? '' },
    mode: file.gallery.mode,
    user: userOf(file.user),
    consent: file.consent && consentOf(file.consent),
    templates: file.templates.map(({ id: template, origin, createdAt, vector }) => ({
      id: template,
      origin,
      created_at: iso(createdAt),
      ...(vector && { descriptor: [...vector] }),
    })),
    events: file.events.map(one => eventOf(one)),
    app_events: file.told.map(({ id: event, seq, type, at, data }) => ({
      ...{ id: event, seq, type, timestamp: iso(at) },
      data,
    })),
    pending_codes: file.codes.map(code => ({
      kind: code.kind === 'change' ? 'email_change' : 'sign_in',
      expires_at: iso(code.expiresAt),
      wrong_attempts: code.wrong,
      new_email: code.newEmail,
    })),
    counters: counters.map(one => counterOf(one)),
    kept: keptFor(file.gallery.mode === 'test'),
    not_kept: NOT_KEPT,
  };
}

const userOf = view('id', 'email', 'name', 'email_verified', 'created_at', 'last_sign_in_at');
const consentOf = view('policy_version', 'accepted_at', 'ip', 'user_agent');
const eventOf = view('id', 'type', 'at', 'ip', 'user_agent', 'liveness');
const counterOf = view('about', 'count', 'ends_at');

/** How long each part is kept, as text. */
function keptFor(isTest: boolean): Record<string, string> {
  const account = isTest
    ? `until it is deleted, at most ${TEST_USER_LIFETIME / DAY} days after enrolment (test mode)`
    : `until it is deleted, or ${YEARS_WITHOUT_SIGN_IN} years after the last sign-in`;
  return {
    user: account,
    consent: 'as long as the user',
    templates: 'as long as the user; encrypted; newer learned templates replace older ones',
    events: `${EVENTS_KEPT / DAY} days; when the user is deleted, id, address, browser and liveness are erased at once`,
    app_events: `${OUTBOX_KEPT / DAY} days, encrypted: what the app's server can read; erased at once when the user is deleted, but for the id in the notice of the deletion`,
    pending_codes: `as keyed hashes, until they are used or expire: ${CODE_LIFETIME / MINUTE} minutes for sign-in codes, ${EMAIL_CHANGE_LIFETIME / MINUTE} for address changes`,
    counters: `under keyed hashes, until they expire: at most ${Math.max(HOUR, LOCKOUT_WINDOW) / MINUTE} minutes`,
    backups: 'as long as the operator keeps them; a restore repeats all erasures made since the backup',
  };
}

const NOT_KEPT = [
  'pictures or video: they never leave the device',
  'tokens: only random ids of them are kept, after sign-out until the token expires, and in app_events; after the first verification of an address a keyed hash is kept for a day',
  'codes: only keyed hashes of them',
  'client addresses in counters: only keyed hashes, for at most 15 minutes, which cannot be traced to a person',
  'who was counted in monthly usage: only totals',
];

interface PersonalCounter {
  /** What is counted, as text. */
  readonly about: string;
  readonly count: number;
  readonly endsAt: number;
}

/**
 * Counters about one person. Their keys are keyed hashes of the email address or the user id. Counters of client
 * addresses are not included, because they cannot be traced to a person.
 */
export async function countersOf(
  deps: AdminDeps,
  { gallery, user, codes }: UserFile,
): Promise<PersonalCounter[]> {
  const changes = (email: string) => emailChangeKeys(deps, gallery, user.id, email);
  const wanted: [string, string][] = [
    [
      'failed sign-ins: wrong codes, and failed matches close to this face',
      lockoutKey(deps, gallery, user.email),
    ],
    ['pictures that were refused in 24 hours', refusedAddsKey(deps, gallery, user.id)],
    ['codes requested for the address', codeRequestsKey(deps, gallery, user.email)],
    ['address changes requested by this user', changes(user.email).user],
    ['sign-ins by face', matchesKey(deps, gallery, user.id)],
  ];
  for (const { newEmail } of codes)
    if (newEmail !== null)
      wanted.push([`changes requested to the address ${newEmail}`, changes(newEmail).to]);
  const counters: PersonalCounter[] = [];
  for (const [about, key] of wanted) {
    const state = await deps.store.peekWindow(key, deps.clock.now());
    if (state) counters.push({ about, ...state });
  }
  const ofNetworks = `${lockoutKey(deps, gallery, user.email)}:`;
  for (const { count, endsAt } of await deps.store.windowsUnder(gallery.appId, ofNetworks, deps.clock.now()))
    counters.push({ about: 'failed sign-ins from one network in 24 hours', count, endsAt });
  return counters;
}
