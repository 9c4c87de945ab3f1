/** Shows an email address in a text. Held by test/browser/element.test.ts. */
import { type Child, h } from './dom.ts';

/** Shows the whole address, so that a typo is visible. A long one may break before the @. */
export function withAddress(text: string, email: string): Child[] {
  const at = Math.max(0, email.lastIndexOf('@'));
  const address = () => h('b', { class: 'address' }, email.slice(0, at), h('wbr'), email.slice(at));
  return text.split('{email}').flatMap((part, n) => (n === 0 ? [part] : [address(), part]));
}
