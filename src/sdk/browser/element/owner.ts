/**
 * The question after the first verification of an address. Anyone can enroll a face with an address, so its owner is
 * asked whether that was them. After "No" a second view names what is lost, before the account is deleted. Then it
 * offers to enroll. If the deletion fails, the only option is to try again. Held by test/browser/element-owner.test.ts.
 */
import type { User } from '../client-types.ts';
import type { Kit } from './kit.ts';
import type { Context, View } from './views.ts';

export type Asked =
  | { readonly view: 'owner' | 'erase'; readonly user: User }
  | { readonly view: 'not_erased' }
  | { readonly view: 'erased' };

export interface OwnerActions {
  /** Asks the question, or shows what "No" would delete. */
  ask(view: 'owner' | 'erase'): void;
  /** Yes: the enrolled face is the person's own. */
  own(): void;
  /** Deletes the account. */
  erase(): void;
}

export function ownerView(
  { button, filled, h, withAddress }: Kit,
  state: Asked,
  { ask, own, erase }: OwnerActions,
  context: Context,
): View {
  const { strings, language, canSwitch, act } = context;
  switch (state.view) {
    case 'owner': {
      const date = dateIn(language, state.user.createdAt);
      return {
        title: strings.ownerTitle,
        body: [
          h('p', {}, filled(strings.ownerQuestion, { date })),
          h('p', { class: 'soft' }, strings.ownerHint),
        ],
        // Both look the same, so that nobody clicks a highlighted answer without reading.
        actions: [button(strings.yes, 'plain', own), button(strings.no, 'plain ends', () => ask('erase'))],
      };
    }
    case 'erase': {
      const date = dateIn(language, state.user.createdAt);
      return {
        title: strings.eraseTitle,
        body: [h('p', {}, ...withAddress(filled(strings.eraseText, { date }), state.user.email))],
        actions: [
          button(strings.back, 'main', () => ask('owner')),
          button(strings.eraseButton, 'danger ends', erase),
        ],
      };
    }
    case 'not_erased':
      return {
        title: strings.notErasedTitle,
        body: [h('p', {}, strings.notErasedText)],
        actions: [button(strings.tryAgain, 'main ends', erase)],
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

/** A date in words, in UTC like in the email with the code. */
export function dateIn(language: string, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
