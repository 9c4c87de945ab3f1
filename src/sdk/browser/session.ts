/**
 * Who is signed in, in memory and nowhere else: what a page writes to storage outlives the person at the screen. How long a
 * token lasts is measured from the moment it came, because clocks of devices are wrong. Held by
 * test/sdk/browser-session.test.ts.
 */
import type { Session, User } from './client-types.ts';

export interface SessionKeeper {
  /** Null from the moment the token expires. */
  current(): Session | null;
  begin(session: Session): void;
  /** The same session, whose user has changed. */
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
    // Later, so that a listener that throws does not make a sign-in fail that has happened.
    for (const listener of listeners) queueMicrotask(() => listener(next));
  }

  /** Timers stand still while a device sleeps, so the time counts as well. */
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
      // A process that uses the SDK must not live on for it.
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
      // One function given twice is called twice.
      const own = (next: Session | null) => listener(next);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Milliseconds. The claims are read, not verified: that is for the server that gets the token. */
function lifetimeOf({ token, expiresAt }: Session): number {
  try {
    const claims = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    const seconds = claims.exp - claims.iat;
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  } catch {
    // Not a token as we know it: then by the clock of this device.
  }
  return Math.max(0, expiresAt.getTime() - Date.now());
}
