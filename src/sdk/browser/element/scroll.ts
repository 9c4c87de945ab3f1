/**
 * Scrolls the component into view when the camera starts, because a person who does not see the preview cannot follow
 * its prompts. Does nothing if it is wholly visible, and never moves the focus. Held by
 * test/browser/element-scroll.test.ts.
 */

/** Rounding of positions must not count as hidden. */
const WHOLE = 0.99;

/**
 * @param stage shown instead of the component if that is taller than the window
 * @param moved called if it scrolls
 */
export function showWhole(component: Element, stage: Element, moved: () => void): void {
  const target = component.getBoundingClientRect().height <= innerHeight ? component : stage;
  // An observer also knows what a scrolling part of the page hides.
  const observer = new IntersectionObserver(([entry]) => {
    observer.disconnect();
    if (!entry || entry.intersectionRatio >= WHOLE) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    moved();
    target.scrollIntoView({ block: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  });
  observer.observe(target);
}
