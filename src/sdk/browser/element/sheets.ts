/**
 * Adds styles to a shadow root, once. All components of the page share one sheet, which works under `style-src 'self'`.
 * Safari before 16.4 and Firefox before 101 cannot share sheets: they get a style element, which a policy allows only
 * by 'unsafe-inline' or by the component's `nonce`. Held by test/browser/old-browsers.test.ts.
 */
const sheets = new Map<string, CSSStyleSheet>();
const added = new WeakMap<ShadowRoot, Set<string>>();

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
