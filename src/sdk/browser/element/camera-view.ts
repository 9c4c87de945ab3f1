/**
 * The camera view before the camera: a title, a place and a button. stage.ts fills the place when it is loaded. Held by
 * test/browser/element.test.ts.
 */
import { button, h } from './dom.ts';
import type { Strings } from './strings.ts';

/** The purpose of the camera. */
export type Task = 'enroll' | 'sign-in' | 'learn';

interface CameraContext {
  readonly strings: Strings;
  readonly act: { back(): void; notNow(): void };
}

export function cameraView(task: Task, { strings, act }: CameraContext) {
  const titles = { enroll: strings.enrollTitle, 'sign-in': strings.signInTitle, learn: strings.learnTitle };
  return {
    title: titles[task],
    body: [h('div', { class: 'camera' })],
    actions: [button(strings.cancel, 'plain ends', task === 'learn' ? act.notNow : act.back)],
  };
}
