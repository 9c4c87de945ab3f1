/**
 * The entry of the web component. Importing it registers `<face-sign-in>`, if there are custom elements and the name is
 * free. Held by test/browser/element.test.ts.
 */
import { FaceSignInElement } from './element.ts';
import type { FaceSignInDetail, FaceSignInErrorDetail, FaceSignInLearnedDetail } from './outcome.ts';

export { FaceSignInElement } from './element.ts';
export type { FaceSignInAttributes } from './jsx.ts';
export { LANGUAGES } from './languages.ts';
export {
  type FaceSignInDetail,
  type FaceSignInErrorDetail,
  type FaceSignInLearnedDetail,
  SHIPPED_POLICY,
} from './outcome.ts';
export type { OwnStrings, Strings } from './strings.ts';
export type { Mode } from './views.ts';

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
