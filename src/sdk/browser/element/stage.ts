/**
 * What the camera view shows while the camera is used: mirrored preview, prompts and progress. Loaded with the camera,
 * so pages do not pay for it before. Held by test/browser/element.test.ts, test/browser/element-scroll.test.ts and, for
 * its looks, test/browser/element-looks.test.ts.
 */
import { PROBLEMS } from '../capture/problems.ts';
import type { CaptureProgress, Guide } from '../types.ts';
import type { Kit } from './kit.ts';
import type { Strings } from './strings.ts';

export interface StageOptions {
  readonly kit: Kit;
  readonly root: ShadowRoot;
  /** Where it goes. */
  readonly place: Element;
  /** Where its prompts go. */
  readonly status: HTMLElement;
  readonly video: HTMLVideoElement;
  readonly strings: Strings;
  /** Called when what is shown moves. */
  changed(): void;
}

/** Prompts that ask the person to change something. */
const { no_face: _, ...WRONG } = PROBLEMS;
const TO_CHANGE: readonly Guide[] = Object.values(WRONG);

/** @returns shows the progress of a capture */
export function openStage(options: StageOptions): (progress: CaptureProgress) => void {
  const { kit, root, place, status, video, strings, changed } = options;
  const { adopt, h, say } = kit;
  adopt(root, CAMERA_STYLES);
  video.setAttribute('aria-label', strings.preview);
  const oval = h('div', { class: 'oval', 'aria-hidden': 'true' });
  // The bar says the same to screen readers.
  const percent = h('p', { class: 'percent', 'aria-hidden': 'true' });
  const stage = h('div', { class: 'stage', part: 'preview', 'data-state': 'wait' }, video, oval, percent);
  const bar = h('progress', { max: '1', 'aria-label': strings.progress });
  place.replaceChildren(stage, bar);
  let isStarted = false;

  return ({ step, progress, guide }) => {
    if (step === 'camera') bar.removeAttribute('value');
    else bar.value = progress;
    percent.textContent = step === 'loading' ? percentIn(place, progress) : '';
    if (step === 'looking') stage.dataset.state = TO_CHANGE.includes(guide) ? 'change' : 'look';
    else stage.dataset.state = step === 'done' ? 'good' : 'wait';
    say(status, promptOf(step, guide, strings));
    if (step === 'looking' && !isStarted) {
      isStarted = true;
      showWhole(root.host, stage, changed);
    }
  };
}

/** Rounded down: 100 % is all. */
function percentIn(place: Element, share: number): string {
  const language = place.closest<HTMLElement>('[lang]')?.lang || 'en';
  return new Intl.NumberFormat(language, { style: 'percent' }).format(Math.floor(100 * share) / 100);
}

function promptOf(step: CaptureProgress['step'], guide: Guide, strings: Strings): string {
  if (step === 'loading') return strings.loading;
  if (step === 'camera') return strings.allowCamera;
  return step === 'done' ? strings.checking : strings.guides[guide];
}

/** Rounding of positions must not count as hidden. */
const WHOLE = 0.99;

/**
 * Scrolls the component into view when the camera starts, because a person who does not see the preview cannot follow
 * its prompts. Does nothing if it is wholly visible, and never moves the focus.
 * @param stage shown instead of the component if that is taller than the window
 * @param moved called if it scrolls
 */
function showWhole(component: Element, stage: Element, moved: () => void): void {
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

/** Its size is in styles.ts, so that nothing moves when these come. No animation if the person prefers less motion. */
const CAMERA_STYLES = `
.stage { position: relative; overflow: hidden; }
video { display: block; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
.oval {
  position: absolute; inset: 9% 0; margin: 0 auto; height: 82%; aspect-ratio: 3 / 4; border-radius: 50%;
  border: 4px solid #fff; box-shadow: 0 0 0 100vmax rgb(0 0 0 / 0.42); pointer-events: none;
}
.stage[data-state="good"] .oval { border-color: #62d69b; }
.stage[data-state="change"] .oval { border-style: dashed; border-color: #ffd479; }
.stage[data-state="wait"] .oval { border-color: rgb(255 255 255 / 0.35); box-shadow: none; }
.percent { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; color: #fff; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
progress {
  display: block; width: 100%; height: 0.5rem; margin: 0.75rem 0 0; border: 0; border-radius: 1rem; overflow: hidden;
  appearance: none; background: var(--fsi-line); accent-color: var(--fsi-accent);
}
progress::-webkit-progress-bar { background: var(--fsi-line); }
progress::-webkit-progress-value { background: var(--fsi-accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--fsi-accent); border-radius: 1rem; }
@media (prefers-reduced-motion: no-preference) {
  progress::-webkit-progress-value { transition: inline-size 0.2s; }
  .oval { transition: border-color 0.2s; }
  .stage[data-state="wait"] .oval { animation: wait 1.6s ease-in-out infinite; }
  @keyframes wait { 50% { border-color: rgb(255 255 255 / 0.9); } }
}
@media (forced-colors: active) {
  .oval { border-color: currentColor; }
}
`;
