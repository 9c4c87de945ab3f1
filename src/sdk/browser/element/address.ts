/**
 * An address as several views of the component show it. Held by test/browser/element.test.ts.
 */
import { type Child, h } from './dom.ts';

/** An address is shown whole, on a line of its own where it needs one, so that a slip in it is seen. */
export function withAddress(text: string, email: string): Child[] {
  const at = Math.max(0, email.lastIndexOf('@'));
  const address = () => h('b', { class: 'address' }, email.slice(0, at), h('wbr'), email.slice(at));
  return text.split('{email}').flatMap((part, n) => (n === 0 ? [part] : [address(), part]));
}
