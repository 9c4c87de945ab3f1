/** The page pauses after each change of page, dialog or list. Held by test/browser/portal-twice.test.ts. */
import { clickGuard } from '../../../click-guard.ts';

/** Call it after each change that can put a control where the pointer is. */
export const changed = clickGuard(document, isPaused =>
  document.documentElement.classList.toggle('paused', isPaused),
);
