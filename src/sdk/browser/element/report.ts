/**
 * Says in the console what is wrong with the page, each fault once, and never anything secret or personal. Only the
 * search is here. The sentences are loaded when there is one to say. Held by test/browser/element-faults.test.ts.
 */
import type { FaceSignInError } from '../errors.ts';
import type { Page } from './faults.ts';
import { LIVENESS_CHECKS } from './outcome.ts';
import { EN } from './strings.ts';

export interface Report {
  /** Looks at the page once it has had time to set everything. */
  soon(): void;
  stop(): void;
  /** Says why something failed, if the page can do something about it. */
  error(error: FaceSignInError): void;
}

/** Time for a page's scripts to set properties, in milliseconds. */
const PATIENCE = 2_000;

/** Attributes with these values, and the others. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  mode: ['sign-in', 'enroll'],
  theme: ['light', 'dark'],
  'liveness-check': LIVENESS_CHECKS,
};
const OTHERS = [
  'publishable-key',
  'base-url',
  'policy-version',
  'lang',
  'no-switch',
  'no-learn',
  'confirm-below',
  'mean-sign-in',
];
/** Attributes of every element. */
const GLOBAL = /^(id|class|style|slot|part|dir|hidden|title|tabindex|role|nonce|(data|aria)-.*|on.*)$/;

/** Whether the page may have set something that does not exist. Cheap; the sentences decide. */
const isOdd = ({ element, own }: Page) =>
  [...element.attributes].some(({ name, value }) =>
    VALUES[name] ? !VALUES[name].includes(value) : !OTHERS.includes(name) && !GLOBAL.test(name),
  ) ||
  // React, Vue and Svelte keep properties such as `__reactProps$…` on every element.
  Object.keys(element).some(name => !name.startsWith('_')) ||
  Object.entries(own() ?? {}).some(([name, text]) => !(name in EN) || typeof text === 'object');

function faultOf(check: () => void): unknown {
  try {
    return void check();
  } catch (fault) {
    return fault;
  }
}

export function reportOn(page: Page): Report {
  const said = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function say(error?: FaceSignInError): Promise<void> {
    const { linesOf } = await import('./faults.ts');
    for (const [level, line] of linesOf({
      page,
      values: VALUES,
      others: OTHERS,
      texts: EN,
      fault: faultOf(page.check),
      error,
    })) {
      if (said.has(line)) continue;
      said.add(line);
      console[level](`face-sign-in: ${line}`);
    }
  }

  function look(): void {
    if (document.readyState !== 'complete') soon();
    else if (!page.hasEncoder() || isOdd(page) || faultOf(page.check)) say().catch(() => {});
  }

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(look, PATIENCE);
  }

  return {
    soon,
    stop: () => clearTimeout(timer),
    error: error =>
      void say(error).catch(() => console.error(`face-sign-in: ${error.code}: ${error.detail}`)),
  };
}
