/**
 * After the first verification of an address, asks its owner whether the enrolled face is theirs. Only then does the
 * page get the sign-in. "Yes" confirms the face, "No" asks once more and deletes the account. If either fails, nobody
 * is shown as signed in. The service remembers an open question, so it is asked again at the next sign-in by code, on
 * any page. Held by test/browser/element-owner.test.ts.
 */
import type { Client, EmailSignedIn, Session } from '../client-types.ts';
import type { Kit } from './kit.ts';
import { type Asked, ownerView } from './owner.ts';
import type { Strings } from './strings.ts';
import type { State } from './views.ts';

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
