/**
 * After a change of what is shown, nothing can be pressed for half a second. Otherwise the second click of a double
 * click, or a key that is held down, presses what the change has just put there. A press counts by when it began, not
 * by when it is handled, so a busy page does not let an early one through. People, screen readers and test tools are
 * late, not locked out: the same press works half a second later. Typing, scrolling and moving the focus always work.
 * A button of the class `ends` ends or deletes something: it is moved away from where another one was just pressed.
 * Shared by the component and the pages of the portal. Held by test/sdk/click-guard.test.ts and, in a browser, by
 * test/browser/element-twice.test.ts.
 */

/** In milliseconds. Longer than a double click, and too short to have read what is new. */
export const PAUSE = 500;

/** Pixels between a button that was pressed and one that ends something. */
const GAP = 8;

/**
 * @param place guards everything in it
 * @param show told when a pause begins and ends. Give buttons `pointer-events: none` meanwhile: then test tools, which
 *   look at what a click would hit, wait by themselves
 * @returns call it after each change
 */
export function clickGuard(place: Document | Element, show: (isPaused: boolean) => void): () => void {
  let until = 0;
  /** Whether the press that is going on began in a pause. */
  let isEarly = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Where the last button was when it was pressed, in the window. */
  let pressed: DOMRect | undefined;

  function refuse(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function press(event: Event): void {
    isEarly = event.timeStamp < until;
  }

  /** An early press does not take the focus from where the change has put it, unless it is in a field. */
  function hold(event: Event): void {
    if (isEarly && !(event.target as Element).matches('input, select, textarea')) event.preventDefault();
  }

  function key(event: Event): void {
    const { key, repeat, target } = event as KeyboardEvent;
    if (key !== 'Enter' && key !== ' ') return;
    if (!repeat) press(event);
    // A key that is held down would press one button after the other.
    else if (key === 'Enter' && !(target as Element).matches('textarea')) refuse(event);
  }

  /** A press of a key ends in a click as well, and so does a screen reader's action. */
  function act(event: Event): void {
    if (!isEarly && event.timeStamp >= until) {
      const button = (event.composedPath()[0] as Element).closest('button');
      if (event.type === 'click' && button) pressed = button.getBoundingClientRect();
      return;
    }
    isEarly = false;
    refuse(event);
  }

  function keepClear(button: HTMLElement): void {
    button.style.marginTop = '';
    // More than once, because what is centred moves only half as far.
    for (let margin = 0, n = 0; pressed && n < 6; n++) {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      const isBeside = left >= pressed.right || right <= pressed.left;
      if (isBeside || top >= pressed.bottom || bottom <= pressed.top) return;
      margin += pressed.bottom - top + GAP;
      button.style.marginTop = `${margin}px`;
    }
  }

  const listeners = { pointerdown: press, mousedown: hold, keydown: key, click: act, submit: act };
  for (const [type, listener] of Object.entries(listeners)) place.addEventListener(type, listener, true);

  function pause(): void {
    until = performance.now() + PAUSE;
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE, false);
  }

  return () => {
    for (const button of place.querySelectorAll<HTMLElement>('.ends')) keepClear(button);
    pause();
    show(true);
    // Nobody sees the change before it is painted.
    globalThis.requestAnimationFrame?.(pause);
  };
}
