/**
 * Step 4b of enroll, match and template add. Descriptors of different encoders cannot be compared. Mixed in one
 * gallery, they would let the wrong person in, or no one. So each app and mode remembers one encoder, and a request
 * that names another one is refused before anything is consumed or counted.
 *
 * The operator names the encoder; otherwise the first enrolment into an empty gallery does. An enrolment into a
 * gallery that has templates never sets it, because anybody with a publishable key can enroll. A request that names
 * no encoder is accepted. Held by test/http/encoder.test.ts.
 */
import type { GalleryKey } from '../ports/matcher.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

/** The SDK's MobileFaceNet: 127 numbers of norm √α, and √(1 − α). Its id ends in α. */
const WITH_CONSTANT = /^mobilefacenet:192-svd127:five:(0\.\d{1,6})$/;
const CONSTANT_SLACK = 1e-3;

/**
 * The constant is what gives the threshold its measured false match rate. A page that sends anything else in its place
 * makes up descriptors.
 * @throws Refusal invalid_request
 */
function requireConstant(named: string, descriptors: readonly (readonly number[])[]): void {
  const [, alpha] = WITH_CONSTANT.exec(named) ?? [];
  if (alpha === undefined) return;
  const wanted = Math.sqrt(1 - Number(alpha));
  for (const [n, descriptor] of descriptors.entries()) {
    const last = descriptor.length - 1;
    const share = (descriptor[last] ?? 0) / Math.hypot(...descriptor);
    if (!(Math.abs(share - wanted) <= CONSTANT_SLACK))
      throw new Refusal(
        'invalid_request',
        `descriptors[${n}][${last}]: must be the constant of this encoder, ${wanted.toFixed(6)} of the descriptor's norm: send what the SDK's encoder returns, or name another encoder`,
      );
  }
}

/** @throws Refusal invalid_request, encoder_mismatch */
export async function requireEncoder(
  { store }: Pick<Deps, 'store'>,
  { gallery }: Pick<Caller, 'gallery'>,
  named: string | undefined,
  descriptors: readonly (readonly number[])[] = [],
): Promise<void> {
  if (named === undefined) return;
  requireConstant(named, descriptors);
  const { encoder: remembered } = await store.galleryState(gallery);
  if (remembered !== null && remembered !== named) throw encoderMismatch(gallery, remembered, named);
}

/** Also used when another call set the encoder first, and this one is refused at the moment of storing. */
export function encoderMismatch(
  { appId, mode }: GalleryKey,
  remembered: string,
  named: string | undefined,
): Refusal {
  return new Refusal(
    'encoder_mismatch',
    `encoder: the ${mode} templates of this app were made by "${remembered}", these descriptors by "${named}". Descriptors of different encoders cannot be compared. Use "${remembered}" on this page. To change the app's encoder, the operator of the service runs "app encoder reset --app ${appId} --mode ${mode} --erase-templates --yes".`,
  );
}
