/**
 * Step 4b of enroll, match and template add: descriptors of two encoders cannot be compared, and mixed in one gallery they
 * let the wrong person in or nobody. So an app and mode remember one encoder, and whoever names another one is
 * refused before anything is consumed or counted. The operator names it, or else the first enrolment into an empty gallery
 * does: never one into a gallery that has templates, since anybody with a publishable key can enrol. A caller who names none goes on as before.
 * test/http/encoder.test.ts holds it.
 */
import type { GalleryKey } from '../ports/matcher.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal encoder_mismatch */
export async function requireEncoder(
  { store }: Pick<Deps, 'store'>,
  { gallery }: Pick<Caller, 'gallery'>,
  named: string | undefined,
): Promise<void> {
  if (named === undefined) return;
  const remembered = await store.encoderOf(gallery);
  if (remembered !== null && remembered !== named) throw encoderMismatch(gallery, remembered, named);
}

/** Also for a call that was overtaken by another one, and is refused where it would have stored its templates. */
export function encoderMismatch(
  { appId, mode }: GalleryKey,
  remembered: string,
  named: string | undefined,
): Refusal {
  return new Refusal(
    'encoder_mismatch',
    `encoder: the ${mode} templates of this app were made by "${remembered}", these descriptors by "${named}". Descriptors of different encoders cannot be compared. Use "${remembered}" on this page. To change the app's encoder, whoever runs the service uses "app encoder reset --app ${appId} --mode ${mode} --erase-templates --yes".`,
  );
}
