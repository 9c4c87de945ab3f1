/**
 * What the parts that are loaded later use of the rest. They are given it, and import only its type: what two parts
 * import becomes a file of its own, which every page would load. Held by test/sdk/browser-package.long.test.ts and
 * test/browser/old-browsers.test.ts.
 */
import { button, h, say, withAddress } from './dom.ts';
import { form, textField } from './fields.ts';
import { filled } from './languages.ts';

export const KIT = { adopt, button, filled, form, h, say, textField, withAddress } as const;
export type Kit = typeof KIT;

const sheets = new Map<string, CSSStyleSheet>();
const added = new WeakMap<ShadowRoot, Set<string>>();

/**
 * Adds styles to a shadow root, once. All components of the page share one sheet, which works under `style-src 'self'`.
 * Safari before 16.4 and Firefox before 101 cannot share sheets: they get a style element, which a policy allows only
 * by 'unsafe-inline' or by the component's `nonce`.
 */
export function adopt(root: ShadowRoot, css: string): void {
  const styles = added.get(root) ?? new Set();
  if (styles.has(css)) return;
  added.set(root, styles.add(css));
  if (root.adoptedStyleSheets && 'replaceSync' in CSSStyleSheet.prototype) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(css)];
    return;
  }
  const style = document.createElement('style');
  style.nonce = (root.host as HTMLElement).nonce ?? '';
  style.textContent = css;
  root.append(style);
}

function sheetOf(css: string): CSSStyleSheet {
  let sheet = sheets.get(css);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(css, sheet);
  }
  return sheet;
}
