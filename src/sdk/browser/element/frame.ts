/**
 * The permanent part of the component, around the views. Title, alert and status always exist, because a screen reader
 * only reads changes of elements that it knows. The focus moves only after an action of the person. Every change goes
 * through here, and after it nothing can be pressed for a moment. Held by test/browser/element.test.ts and
 * test/browser/element-twice.test.ts.
 */
import { clickGuard } from '../../../click-guard.ts';
import { imported } from '../thrown.ts';
import type { CaptureProgress } from '../types.ts';
import { h, isThere, say } from './dom.ts';
import { adopt, KIT } from './kit.ts';
import type { Strings } from './strings.ts';
import { STYLES } from './styles.ts';
import type { View } from './views.ts';

export interface Frame {
  readonly video: HTMLVideoElement;
  /** @param focus whether to move the focus, after an action of the person */
  show(view: View, name: string, focus: boolean): void;
  alert(text: string): void;
  status(text: string): void;
  isSaying(text: string): boolean;
  /** Loads what shows a capture, for the camera view. @returns shows its progress */
  camera(strings: Strings): Promise<(progress: CaptureProgress) => void>;
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

export function frameIn(root: ShadowRoot): Frame {
  const title = h('h2', { id: 'title', tabindex: '-1' });
  const alert = h('div', { class: 'alert', role: 'alert' });
  const body = h('div', { class: 'body' });
  const status = h('p', { class: 'status below', role: 'status', 'aria-live': 'polite' });
  const actions = h('div', { class: 'actions' });
  const mark = h('span', { class: 'mark', 'aria-hidden': 'true', hidden: true });
  const card = h(
    'section',
    // By the title: a page in Arabic may have texts of its own, or the English ones.
    { class: 'card', part: 'card', 'aria-labelledby': 'title', dir: 'auto' },
    mark,
    title,
    alert,
    body,
    status,
    actions,
  );
  root.append(card);
  const changed = clickGuard(card, isPaused => card.classList.toggle('paused', isPaused));
  // A form that is not sent says why, which moves what is below.
  card.addEventListener('submit', changed);
  const video = h('video', { playsinline: true });
  video.muted = true;

  return {
    video,
    show(view, name, focus) {
      // Not before, because only now the component has its attributes.
      adopt(root, STYLES);
      card.dataset.view = name;
      mark.hidden = name !== 'done';
      say(title, view.title);
      body.replaceChildren(...view.body.filter(isThere));
      actions.replaceChildren(...view.actions);
      if (focus) (view.first ?? title).focus();
      changed();
    },
    alert(text) {
      say(alert, text);
      changed();
    },
    status: text => say(status, text),
    isSaying: text => status.textContent === text,
    async camera(strings) {
      const place = body.querySelector('.camera') as Element;
      say(status, strings.loading);
      changed();
      const { openStage } = await imported(() => import('./stage.ts'));
      const progress = openStage({ kit: KIT, root, place, status, video, strings, changed });
      changed();
      return progress;
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
      if (!isBusy) changed();
      for (const button of card.querySelectorAll<HTMLButtonElement>('button.main'))
        if (isBusy) button.setAttribute('aria-disabled', 'true');
        else button.removeAttribute('aria-disabled');
    },
  };
}
