/**
 * Asks the owner of an address that has just been verified for the first time whether the enrolled face is theirs, before the
 * page learns that somebody is signed in. Yes confirms the face, No deletes the account; while that fails nobody is shown as signed
 * in. A question that was left open is asked again at the next sign-in by code, on any page: the service keeps it. Held by test/browser/element-owner.test.ts.
 */
import type { Client, EmailSignedIn, Session } from '../client-types.ts';
import type { OwnerActions, OwnerState } from './owner.ts';
import type { Strings } from './strings.ts';

/** The component, as far as it is needed here. */
export interface Host {
  client(): Client;
  strings(): Strings;
  isBusy(): boolean;
  show(state: OwnerState | { readonly view: 'start' }): void;
  /** Work that the person waits for where they are; one at a time. */
  inPlace(work: (signal: AbortSignal) => Promise<void>, doing: string, failed: () => void): void;
  /** The person is signed in, and the page is told. */
  finish(session: Session): void;
}

export interface Ownership extends Pick<OwnerActions, 'own' | 'disown'> {
  /** Asks where there is something to ask, and finishes otherwise. */
  ask(session: EmailSignedIn): void;
}

export function ownership(host: Host): Ownership {
  let asked: Session | undefined;

  function finish(session: Session): void {
    asked = undefined;
    host.finish(session);
  }

  return {
    ask(session) {
      if (session.firstVerification) {
        asked = session;
        host.show({ view: 'owner', enrolledAt: session.user.createdAt });
      } else finish(session);
    },
    own() {
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
    },
    disown() {
      const work = async (signal: AbortSignal) => {
        await host.client().deleteAccount({ signal });
        asked = undefined;
        host.show({ view: 'erased' });
      };
      // Without a session there is nothing to try again with.
      const failed = () => host.show({ view: host.client().session ? 'not_erased' : 'start' });
      host.inPlace(work, host.strings().erasing, failed);
    },
  };
}
