/**
 * The camera view: mirrored preview, progress and, for an enrollment, the steps. The frame updates it during a capture.
 * Held by test/browser/element.test.ts and, for its looks, test/browser/element-looks.test.ts.
 */
import { button, h } from './dom.ts';
import type { Strings } from './strings.ts';

/** The purpose of the camera. */
export type Task = 'enroll' | 'sign-in' | 'learn';

export interface CameraContext {
  readonly strings: Strings;
  readonly video: HTMLVideoElement;
  readonly act: { back(): void; notNow(): void };
}

const SIDES = ['front', 'left', 'right'] as const;

export function cameraView(task: Task, context: CameraContext) {
  const { strings, act } = context;
  const titles = { enroll: strings.enrollTitle, 'sign-in': strings.signInTitle, learn: strings.learnTitle };
  return {
    title: titles[task],
    body: [
      stage(context),
      h('progress', { max: '1', 'aria-label': strings.progress }),
      task === 'enroll' && steps(context),
    ],
    actions: [button(strings.cancel, 'plain', task === 'learn' ? act.notNow : act.back)],
  };
}

function stage({ strings, video }: CameraContext): HTMLElement {
  video.setAttribute('aria-label', strings.preview);
  const oval = h('div', { class: 'oval', 'aria-hidden': 'true' });
  return h('div', { class: 'stage', part: 'preview', 'data-state': 'wait' }, video, oval);
}

function steps({ strings }: CameraContext): HTMLElement {
  const items = SIDES.map(side => h('li', { 'data-side': side }, strings.views[side]));
  return h('ol', { class: 'steps', 'aria-label': strings.progress }, ...items);
}
