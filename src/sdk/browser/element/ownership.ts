/**
 * After the first verification of an address, asks its owner whether the enrolled face is theirs. Only then does the
 * page get the sign-in. "Yes" confirms the face, "No" asks once more and deletes the account. If either fails, nobody
 * is shown as signed in. The service remembers an open question, so it is asked again at the next sign-in by code, on
 * any page. Held by test/browser/element-owner.test.ts.
 */
import type { Client, EmailSignedIn, Session, User } from '../client-types.ts';
import type { Kit } from './kit.ts';
import type { Strings } from './strings.ts';
import type { Context, State, View } from './views.ts';

/** The parts of the component that are needed here. */
export interface Host {
  readonly kit: Kit;
  client(): Client;
  strings(): Strings;
  isBusy(): boolean;
  show(state: State): void;
  status(text: string): void;
  /** Does work without leaving the current view. Only one at a time. */
  inPlace(work: (signal: AbortSignal) => Promise<void>, doing?: string, failed?: () => void): void;
  /** Shows that the person is signed in, and notifies the page. */
  finish(session: Session): void;
}

export interface Ownership {
  /** Asks the question if there is one, otherwise finishes. */
  ask(session: EmailSignedIn): void;
}

export function ownership(host: Host): Ownership {
  const show = (state: Asked) =>
    host.show({
      view: state.view,
      render: context => ownerView(host.kit, state, { ask, own, erase }, context),
    });
  let asked: Session | undefined;

  function finish(session: Session): void {
    asked = undefined;
    host.finish(session);
  }

  function ask(view: 'owner' | 'erase'): void {
    if (asked && !host.isBusy()) show({ view, user: asked.user });
  }

  function own(): void {
    const session = asked;
    if (!session) return;
    const work = async (signal: AbortSignal) => {
      await host.client().confirmFace({ signal });
      finish(session);
    };
    const failed = () => {
      if (!host.client().session) host.show({ view: 'start' });
    };
    host.inPlace(work, host.strings().sending, failed);
  }

  function erase(): void {
    const work = async (signal: AbortSignal) => {
      await host.client().deleteAccount({ signal });
      asked = undefined;
      show({ view: 'erased' });
    };
    // Without a session it cannot be tried again.
    const failed = () =>
      host.client().session ? show({ view: 'not_erased' }) : host.show({ view: 'start' });
    host.inPlace(work, host.strings().erasing, failed);
  }

  return {
    ask(session) {
      if (session.firstVerification) {
        asked = session;
        show({ view: 'owner', user: session.user });
      } else finish(session);
    },
  };
}

type Asked =
  | { readonly view: 'owner' | 'erase'; readonly user: User }
  | { readonly view: 'not_erased' }
  | { readonly view: 'erased' };

interface OwnerActions {
  /** Asks the question, or shows what "No" would delete. */
  ask(view: 'owner' | 'erase'): void;
  /** Yes: the enrolled face is the person's own. */
  own(): void;
  /** Deletes the account. */
  erase(): void;
}

/**
 * Anyone can enroll a face with an address, so its owner is asked whether that was them. After "No" a second view names
 * what is lost, before the account is deleted. Then it offers to enroll. If the deletion fails, the only option is to
 * try again.
 */
function ownerView(
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
