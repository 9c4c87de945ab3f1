/**
 * The client of the component: made from its attributes when it is needed, or the page's own. Held by
 * test/browser/element.test.ts.
 */
import type { Client } from '../client-types.ts';

export interface OwnClient {
  /** Whether it is the page's own. */
  readonly isGiven: boolean;
  /** @throws TypeError if it cannot be made */
  need(): Client;
  give(client: Client | undefined): void;
  /** Makes a new one when it is needed next, unless it is the page's own. */
  forget(): void;
}

/** @param ended called when a session is over */
export function ownClient(make: () => Client, ended: () => void): OwnClient {
  let client: Client | undefined;
  let isGiven = false;
  let unsubscribe: (() => void) | undefined;

  function use(next: Client | undefined): void {
    unsubscribe?.();
    client = next;
    unsubscribe = next?.onSessionChange(session => {
      if (!session) ended();
    });
  }

  return {
    get isGiven() {
      return isGiven;
    },
    need() {
      if (!client) use(make());
      return client as Client;
    },
    give(next) {
      use(next);
      isGiven = next !== undefined;
    },
    forget() {
      if (!isGiven) use(undefined);
    },
  };
}
