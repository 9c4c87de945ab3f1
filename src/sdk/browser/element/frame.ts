/**
 * The permanent part of the component, around the views. Title, alert and status always exist, because a screen reader
 * only reads changes of elements that it knows. The focus moves only after an action of the person. Held by
 * test/browser/element.test.ts.
 */
import type { CaptureProgress, Guide } from '../types.ts';
import { h, isThere, say } from './dom.ts';
import type { Strings } from './strings.ts';
import { styles } from './styles.ts';
import type { View } from './views.ts';

export interface Frame {
  readonly video: HTMLVideoElement;
  /** @param focus whether to move the focus, after an action of the person */
  show(view: View, name: string, focus: boolean): void;
  alert(text: string): void;
  status(text: string): void;
  isSaying(text: string): boolean;
  /** Shows the progress of a capture: prompt, progress bar and preview. */
  progress(progress: CaptureProgress, strings: Strings): void;
  /**
   * Sets the language of the texts, for screen readers.
   * @param isLoading whether the texts are still to come. Nothing is visible then, unless there were others before.
   */
  language(tag: string, isLoading: boolean): void;
  /** Marks the input as invalid and selects it, so that typing replaces it. */
  again(): void;
  /** Marks the buttons as waiting. */
  busy(isBusy: boolean): void;
}

/** Prompts that ask the person to change something. */
const TO_CHANGE: readonly Guide[] = [
  'come_closer',
  'go_back',
  'move_into_frame',
  'more_light',
  'less_light',
  'hold_still',
  'face_front',
  'one_person',
  'turn_less',
];
/** Directions of the arrow. The preview is mirrored, so the person's left is on its left. */
const ARROWS: Partial<Record<Guide, string>> = { turn_left_a_little: 'left', turn_right_a_little: 'right' };

export function frameIn(root: ShadowRoot): Frame {
  root.adoptedStyleSheets = [styles()];
  const title = h('h2', { id: 'title', tabindex: '-1' });
  const alert = h('div', { class: 'alert', role: 'alert' });
  const body = h('div', { class: 'body' });
  const status = h('p', { class: 'status below', role: 'status', 'aria-live': 'polite' });
  const actions = h('div', { class: 'actions' });
  const mark = h('span', { class: 'mark', 'aria-hidden': 'true', hidden: true });
  const card = h(
    'section',
    { class: 'card', part: 'card', 'aria-labelledby': 'title' },
    mark,
    title,
    alert,
    body,
    status,
    actions,
  );
  root.append(card);
  const video = h('video', { playsinline: true });
  video.muted = true;

  return {
    video,
    show(view, name, focus) {
      card.dataset.view = name;
      mark.hidden = name !== 'done';
      say(title, view.title);
      body.replaceChildren(...view.body.filter(isThere));
      actions.replaceChildren(...view.actions);
      if (focus) (view.first ?? title).focus();
    },
    alert: text => say(alert, text),
    status: text => say(status, text),
    isSaying: text => status.textContent === text,
    progress({ step, progress, guide, views }, strings) {
      const bar = body.querySelector('progress');
      const stage = body.querySelector<HTMLElement>('.stage');
      if (!bar || !stage) return;
      if (step === 'camera') bar.removeAttribute('value');
      else bar.value = progress;
      if (step === 'looking') stage.dataset.state = TO_CHANGE.includes(guide) ? 'change' : 'look';
      else stage.dataset.state = step === 'done' ? 'good' : 'wait';
      stage.dataset.turn = (step === 'looking' && ARROWS[guide]) || '';
      markSteps(body, step, views);
      say(status, promptOf(step, guide, strings));
    },
    language(tag, isLoading) {
      const wasEmpty = card.dataset.view === undefined || card.classList.contains('empty');
      card.classList.toggle('empty', isLoading && wasEmpty);
      if (!isLoading) card.lang = tag;
    },
    again() {
      const input = body.querySelector('input');
      input?.setAttribute('aria-invalid', 'true');
      input?.focus();
      input?.select();
    },
    busy(isBusy) {
      for (const button of card.querySelectorAll<HTMLButtonElement>('button.main'))
        if (isBusy) button.setAttribute('aria-disabled', 'true');
        else button.removeAttribute('aria-disabled');
    },
  };
}

/** Marks the steps of an enrollment that are done, and the current one. */
function markSteps(body: HTMLElement, step: CaptureProgress['step'], views: CaptureProgress['views']): void {
  const now = step === 'looking' ? views?.find(({ done }) => !done)?.side : undefined;
  for (const item of body.querySelectorAll<HTMLElement>('.steps li')) {
    const { side } = item.dataset;
    const done = step === 'done' || views?.find(view => view.side === side)?.done;
    item.dataset.state = done ? 'done' : side === now ? 'now' : 'later';
    if (side === now) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
}

function promptOf(step: CaptureProgress['step'], guide: Guide, strings: Strings): string {
  if (step === 'loading') return strings.loading;
  if (step === 'camera') return strings.allowCamera;
  return step === 'done' ? strings.checking : strings.guides[guide];
}
