/**
 * What the camera view shows while the camera is used: mirrored preview, prompts and progress. Loaded with the camera,
 * so pages do not pay for it before. Held by test/browser/element.test.ts, test/browser/element-scroll.test.ts and, for
 * its looks, test/browser/element-looks.test.ts.
 */
import { PROBLEMS } from '../capture/problems.ts';
import type { CaptureProgress, Guide } from '../types.ts';
import type { Kit } from './kit.ts';
import { showWhole } from './scroll.ts';
import { CAMERA_STYLES } from './stage-styles.ts';
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
