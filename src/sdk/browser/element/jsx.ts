/**
 * Types `<face-sign-in>` in the JSX of React 19, for everyone who imports the element. It uses no type of React, so
 * that pages without React compile as well. Held by test/sdk/react-package.long.test.ts.
 */
import type { Client } from '../client-types.ts';
import type { FaceEncoder, LivenessCheck } from '../types.ts';
import type { FaceSignInElement } from './element.ts';
import type { FaceSignInDetail, FaceSignInErrorDetail, FaceSignInLearnedDetail } from './outcome.ts';
import type { OwnStrings } from './strings.ts';
import type { Mode } from './views.ts';

/** Attributes, properties and events of `<face-sign-in>`, as JSX spells them. */
export interface FaceSignInAttributes {
  'publishable-key'?: string | undefined;
  'base-url'?: string | undefined;
  mode?: Mode | undefined;
  'policy-version'?: string | undefined;
  'liveness-check'?: LivenessCheck | undefined;
  'no-switch'?: boolean | '' | undefined;
  'no-learn'?: boolean | '' | undefined;
  'confirm-below'?: number | `${number}` | undefined;
  confirmBelow?: number | null | undefined;
  'mean-sign-in'?: boolean | '' | undefined;
  meanSignIn?: boolean | undefined;
  lang?: string | undefined;
  theme?: 'light' | 'dark' | undefined;
  encoder?: FaceEncoder | undefined;
  strings?: OwnStrings | undefined;
  client?: Client | null | undefined;
  'onface-sign-in'?: ((event: CustomEvent<FaceSignInDetail>) => void) | undefined;
  'onface-sign-in-learned'?: ((event: CustomEvent<FaceSignInLearnedDetail>) => void) | undefined;
  'onface-sign-in-error'?: ((event: CustomEvent<FaceSignInErrorDetail>) => void) | undefined;
  id?: string | undefined;
  className?: string | undefined;
  style?: object | undefined;
  hidden?: boolean | undefined;
  key?: string | number | bigint | null | undefined;
  /** Shown in the slot `consent`, if it has `slot="consent"`. */
  children?: unknown;
  ref?:
    | ((element: FaceSignInElement | null) => unknown)
    | { current: FaceSignInElement | null }
    | null
    | undefined;
}

// biome-ignore lint/suspicious/noTsIgnore: an error only where nothing imports React's types
/** @ts-ignore Without React there is nothing to type. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'face-sign-in': FaceSignInAttributes;
    }
  }
}
