/**
 * Attributes that are also properties. Held by test/browser/element-confirm.test.ts and test/browser/element.test.ts.
 */
import type { Mode } from './views.ts';

/** HTMLElement does not exist during server-side rendering, but the module can still be imported. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class WithAttributes extends Base {
  get mode(): Mode {
    return this.getAttribute('mode') === 'enroll' ? 'enroll' : 'sign-in';
  }
  set mode(mode: Mode) {
    this.setAttribute('mode', mode);
  }

  /** Up to this confidence, a sign-in by face is confirmed by an email code. Null, the default, is never. */
  get confirmBelow(): number | null {
    return Number(this.getAttribute('confirm-below')) || null;
  }
  set confirmBelow(confidence: number | null | undefined) {
    if (confidence === null || confidence === undefined) this.removeAttribute('confirm-below');
    else this.setAttribute('confirm-below', `${confidence}`);
  }

  /** Whether a sign-in by face sends the mean of 3 pictures. Only for a service whose threshold is at most 0.32. */
  get meanSignIn(): boolean {
    return this.hasAttribute('mean-sign-in');
  }
  set meanSignIn(isMean: boolean | undefined) {
    this.toggleAttribute('mean-sign-in', !!isMean);
  }
}

/**
 * A page may set properties before the component is defined. They then hide the accessors of the class, so this sets
 * them again through the accessors.
 */
export function upgrade(element: HTMLElement): void {
  for (const name of Object.keys(element))
    if (name in Object.getPrototypeOf(element)) {
      const value = Reflect.get(element, name);
      Reflect.deleteProperty(element, name);
      Reflect.set(element, name, value);
    }
}
