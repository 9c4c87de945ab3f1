/** Every class of forgery, and of good tokens beside them. */
import { algorithms } from './algorithms.ts';
import { audience, issuer, times } from './claims.ts';
import { forms, noTexts } from './forms.ts';
import { critical, headerKeys, kidTricks, otherHeaders } from './headers.ts';
import { controls, random } from './random.ts';
import { signatures, twins } from './signatures.ts';
import { otherSpellings } from './spellings.ts';
import { texts } from './texts.ts';
import type { Class, Variant } from './variant.ts';
import { apps, goodClaims, modes, splices, subjects } from './whose.ts';

export const CLASSES: readonly Class[] = [
  algorithms,
  headerKeys,
  kidTricks,
  critical,
  ...otherHeaders,
  signatures,
  twins,
  ...otherSpellings,
  forms,
  noTexts,
  times,
  audience,
  issuer,
  apps,
  modes,
  subjects,
  splices,
  goodClaims,
  ...texts,
  random,
  controls,
];

export interface Kind {
  readonly class: Class;
  readonly variant: Variant;
}

/** Random damage and plain good tokens; each as often as so many other variants. */
const OFTEN: ReadonlyMap<Class, number> = new Map([
  [random, 40],
  [controls, 12],
]);

/** In turn; one time around is every variant at least once. */
export const KINDS: readonly Kind[] = CLASSES.flatMap(one => {
  const kinds = one.variants.map(variant => ({ class: one, variant }));
  return Array.from({ length: OFTEN.get(one) ?? 1 }, () => kinds).flat();
});
