/**
 * The question after the first verification of an address. Anyone can enroll a face with an address, so its owner is
 * asked whether that was them. "No" deletes the account and then offers to enroll. If the deletion fails, the only
 * option is to try again. Held by test/browser/element-owner.test.ts.
 */
import type { Kit } from './kit.ts';
import type { Context, View } from './views.ts';

export type Asked =
  | { readonly view: 'owner'; readonly enrolledAt: Date }
  | { readonly view: 'not_erased' }
  | { readonly view: 'erased' };

export interface OwnerActions {
  /** Yes: the enrolled face is the person's own. */
  own(): void;
  /** No: it is somebody else's. Deletes the account. */
  disown(): void;
}

/** Ignores the second click of a double click, whose first click has sent the code. Deleting is permanent. */
const once = (answer: () => void) => (event: Event) => {
  if ((event as UIEvent).detail < 2) answer();
};

export function ownerView(
  { button, dateIn, filled, h }: Kit,
  state: Asked,
  { own, disown }: OwnerActions,
  context: Context,
): View {
  const { strings, language, canSwitch, act } = context;
  switch (state.view) {
    case 'owner': {
      const date = dateIn(language, state.enrolledAt);
      return {
        title: strings.ownerTitle,
        body: [
          h('p', {}, filled(strings.ownerQuestion, { date })),
          h('p', { class: 'soft' }, strings.ownerHint),
        ],
        // Both look the same, so that nobody clicks a highlighted answer without reading.
        actions: [button(strings.yes, 'plain', once(own)), button(strings.no, 'plain', once(disown))],
      };
    }
    case 'not_erased':
      return {
        title: strings.notErasedTitle,
        body: [h('p', {}, strings.notErasedText)],
        actions: [button(strings.tryAgain, 'main', disown)],
      };
    case 'erased':
      return {
        title: strings.erasedTitle,
        body: [h('p', {}, strings.erasedText)],
        actions: [
          ...(canSwitch ? [button(strings.enrollButton, 'main', () => act.switchTo('enroll'))] : []),
          button(strings.back, 'plain', act.back),
        ],
      };
  }
}
