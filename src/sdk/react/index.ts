'use client';
/**
 * `<FaceSignIn>`: the element `<face-sign-in>` for React. React gives an element that was rendered on a server, or is
 * not defined yet, its attributes only: objects and listeners are lost. So this sets them itself once the element
 * exists. Adds no user interface of its own. Held by test/sdk/react-package.long.test.ts and
 * test/browser/react.test.ts.
 */
import '@face-sign-in/browser/element';
import type { Client, FaceEncoder } from '@face-sign-in/browser';
import type {
  FaceSignInAttributes,
  FaceSignInDetail,
  FaceSignInElement,
  FaceSignInErrorDetail,
  FaceSignInLearnedDetail,
  OwnStrings,
} from '@face-sign-in/browser/element';
import {
  Children,
  createElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';

export type {
  FaceSignInDetail,
  FaceSignInElement,
  FaceSignInErrorDetail,
  FaceSignInLearnedDetail,
} from '@face-sign-in/browser/element';

/** What React gives any element, without what the component uses itself. */
type Common = Omit<HTMLAttributes<FaceSignInElement>, 'children' | 'dangerouslySetInnerHTML' | 'onError'>;

export interface FaceSignInProps extends Common {
  /** The app's publishable key. */
  publishableKey?: string | undefined;
  /** The address of the service. */
  baseUrl?: string | undefined;
  /** What is shown first: `sign-in` (default) or `enroll`. */
  mode?: FaceSignInAttributes['mode'];
  /** Finds and describes faces. Create it outside of your component. Required unless `client` is set. */
  encoder?: FaceEncoder | undefined;
  /** Version of your own consent text. Required if there are children. */
  policyVersion?: string | undefined;
  /** Default: `passive`. Advisory: nobody is refused. */
  livenessCheck?: FaceSignInAttributes['liveness-check'];
  /** Default: the person's preference. */
  theme?: FaceSignInAttributes['theme'];
  /** People cannot switch between signing in and enrolling. */
  noSwitch?: boolean | undefined;
  /** Does not offer to remember how a person looks today. */
  noLearn?: boolean | undefined;
  /** Up to this confidence a sign-in by face is confirmed by an email code. Default: never. */
  confirmBelow?: number | undefined;
  /** A sign-in by face sends the mean of 3 pictures. Only for a service whose threshold is at most 0.32. */
  meanSignIn?: boolean | undefined;
  /** Your own texts in place of the built-in ones. */
  strings?: OwnStrings | undefined;
  /** Your own client, in place of `publishableKey`, `baseUrl` and `encoder`. Create it outside of your component. */
  client?: Client | undefined;
  /** Somebody signed in, or enrolled: send `detail.token` to your server. */
  onSignIn?: ((detail: FaceSignInDetail) => void) | undefined;
  /** The person accepted to be remembered as they look today: a new token. */
  onLearned?: ((detail: FaceSignInLearnedDetail) => void) | undefined;
  onError?: ((detail: FaceSignInErrorDetail) => void) | undefined;
  ref?: Ref<FaceSignInElement> | undefined;
  /** Your own consent text, in place of the built-in one. */
  children?: ReactNode;
}

export function FaceSignIn({
  publishableKey,
  baseUrl,
  mode = 'sign-in',
  encoder,
  policyVersion,
  livenessCheck,
  theme,
  noSwitch,
  noLearn,
  confirmBelow,
  meanSignIn,
  strings,
  client,
  onSignIn,
  onLearned,
  onError,
  ref,
  children,
  ...rest
}: FaceSignInProps): ReactElement {
  const own = useRef<FaceSignInElement>(null);
  useImperativeHandle(ref, () => own.current as FaceSignInElement, []);
  useProperty(own, 'encoder', encoder);
  useProperty(own, 'client', client);
  // By content: new texts draw the element anew, and pages write them in place.
  useProperty(own, 'strings', strings, JSON.stringify(strings));
  useEvents(own, { onSignIn, onLearned, onError });
  const attributes = {
    'publishable-key': publishableKey,
    'base-url': baseUrl,
    mode,
    'policy-version': policyVersion,
    'liveness-check': livenessCheck,
    theme,
    'no-switch': noSwitch ? '' : undefined,
    'no-learn': noLearn ? '' : undefined,
    'confirm-below': confirmBelow,
    'mean-sign-in': meanSignIn ? '' : undefined,
  };
  const consent =
    Children.toArray(children).length > 0 && createElement('div', { slot: 'consent' }, children);
  return createElement('face-sign-in', { ...rest, ...attributes, ref: own }, consent);
}

/**
 * Sets a property while it is given. An element that is defined later takes it over then.
 *
 * @param key what has to change for the property to be set again
 */
function useProperty(
  own: RefObject<FaceSignInElement | null>,
  name: 'encoder' | 'client' | 'strings',
  value: unknown,
  key = value,
): void {
  useLayoutEffect(() => {
    const element = own.current;
    if (!element || value === undefined) return;
    Reflect.set(element, name, value);
    return () => void Reflect.set(element, name, undefined);
  }, [own, name, key]);
}

interface Handlers extends Pick<FaceSignInProps, 'onSignIn' | 'onLearned' | 'onError'> {}

/** Calls the newest handlers, without listening anew. */
function useEvents(own: RefObject<FaceSignInElement | null>, handlers: Handlers): void {
  const newest = useRef(handlers);
  useLayoutEffect(() => {
    newest.current = handlers;
  });
  useLayoutEffect(() => {
    const element = own.current;
    if (!element) return;
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('face-sign-in', event => newest.current.onSignIn?.(event.detail), { signal });
    element.addEventListener('face-sign-in-learned', event => newest.current.onLearned?.(event.detail), {
      signal,
    });
    element.addEventListener('face-sign-in-error', event => newest.current.onError?.(event.detail), {
      signal,
    });
    return () => {
      stop.abort();
      // React also hides elements without removing them: a hidden camera has to stop.
      element.reset?.();
    };
  }, [own]);
}
