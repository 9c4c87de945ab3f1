/**
 * The current session, kept in memory only: anything in the browser's storage would stay after the person has left. The
 * lifetime of a token is measured from its arrival, because device clocks may be wrong. Held by
 * test/sdk/browser-session.test.ts.
 */
import type { Session, User } from './client-types.ts';

export interface SessionKeeper {
  /** Null from the moment the token expires. */
  current(): Session | null;
  begin(session: Session): void;
  /** Changes the user's data in the same session. */
  update(user: User): void;
  end(): void;
  subscribe(listener: (session: Session | null) => void): () => void;
}

export function keepSession(): SessionKeeper {
  const listeners = new Set<(session: Session | null) => void>();
  let session: Session | null = null;
  let endsAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: Session | null): void {
    session = next;
    if (next === null) clearTimeout(timer);
    // Asynchronous, so that a listener that throws does not make a successful sign-in fail.
    for (const listener of listeners) queueMicrotask(() => listener(next));
  }

  /** Checks the time too, because timers stop while a device sleeps. */
  function current(): Session | null {
    if (session !== null && Date.now() >= endsAt) set(null);
    return session;
  }

  return {
    current,
    begin(next) {
      clearTimeout(timer);
      const lifetime = lifetimeOf(next);
      endsAt = Date.now() + lifetime;
      timer = setTimeout(() => set(null), lifetime);
      // In Node.js the timer must not keep the process alive.
      if (typeof timer === 'object') (timer as { unref?: () => void }).unref?.();
      set({ user: next.user, token: next.token, expiresAt: next.expiresAt });
    },
    update(user) {
      const now = current();
      if (now?.user.id !== user.id) return;
      const { id, email, name, createdAt } = user;
      set({ ...now, user: { id, email, name, createdAt } });
    },
    end() {
      if (session !== null) set(null);
    },
    subscribe(listener) {
      // A function that subscribes twice is called twice.
      const own = (next: Session | null) => listener(next);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** In milliseconds. The claims are only read; the server that gets the token verifies it. */
function lifetimeOf({ token, expiresAt }: Session): number {
  try {
    const claims = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    const seconds = claims.exp - claims.iat;
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  } catch {
    // An unknown token format: fall back to the clock of this device.
  }
  return Math.max(0, expiresAt.getTime() - Date.now());
}
