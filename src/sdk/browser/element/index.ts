/**
 * The entry of the web component: importing it registers `<face-sign-in>`, where there are custom elements and nobody has
 * taken the name. What it exports is held by test/browser/element.test.ts.
 */
import { FaceSignInElement } from './element.ts';
import type { FaceSignInDetail, FaceSignInErrorDetail, FaceSignInLearnedDetail } from './outcome.ts';

export { FaceSignInElement } from './element.ts';
export { LANGUAGES } from './languages.ts';
export {
  type FaceSignInDetail,
  type FaceSignInErrorDetail,
  type FaceSignInLearnedDetail,
  SHIPPED_POLICY,
} from './outcome.ts';
export type { OwnStrings, Strings } from './strings.ts';

const NAME = 'face-sign-in';
if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, FaceSignInElement);

declare global {
  interface HTMLElementTagNameMap {
    'face-sign-in': FaceSignInElement;
  }
  interface HTMLElementEventMap {
    'face-sign-in': CustomEvent<FaceSignInDetail>;
    'face-sign-in-learned': CustomEvent<FaceSignInLearnedDetail>;
    'face-sign-in-error': CustomEvent<FaceSignInErrorDetail>;
  }
}
