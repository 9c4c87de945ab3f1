/**
 * Creates DOM elements. Text is never parsed as markup, so a page may forbid inline scripts, inline styles and plain
 * strings as HTML. Held by test/browser/element.test.ts.
 */

type Given = Readonly<Record<string, string | boolean | EventListener | undefined>>;
export type Child = Node | string | false | null | undefined;

/** @param given `on…` names are listeners; `true` is an empty attribute; `false` or undefined is left out */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Given = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  element.append(...children.filter(isThere));
  return element;
}

/** `ends`: ends or deletes something, so it is not put where the person has just pressed (click-guard.ts). */
export type Kind = 'main' | 'plain' | 'link' | `${'main' | 'plain' | 'link' | 'danger'} ends`;

export function button(text: string, kind: Kind, onClick: () => void): HTMLButtonElement {
  return h('button', { class: kind, part: 'button', type: 'button', onclick: onClick }, text);
}

export const isThere = (child: Child): child is Node | string =>
  child !== false && child !== null && child !== undefined;

/** Sets a text only if it differs, because screen readers read every text that is set. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows the whole address, so that a typo is visible. A long one may break before the @. */
export function withAddress(text: string, email: string): Child[] {
  const at = Math.max(0, email.lastIndexOf('@'));
  const address = () => h('b', { class: 'address' }, email.slice(0, at), h('wbr'), email.slice(at));
  return text.split('{email}').flatMap((part, n) => (n === 0 ? [part] : [address(), part]));
}
