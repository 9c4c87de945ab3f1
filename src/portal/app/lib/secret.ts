/**
 * The second secret of the session, which the service answers once and every request carries as a header. Cookies of
 * localhost go to every port, this does not. It is kept in `sessionStorage`: that survives a reload, belongs to one
 * origin including its port, and is gone with the tab, so nothing stays in the browser's profile. A new tab asks the
 * other tabs of this origin for it. Held by test/browser/portal-flow.test.ts.
 */
const KEY = 'portal';
/** How long a new tab waits for another one. */
const PATIENCE_MS = 250;

type Message = { readonly asks: true } | { readonly secret: string };

let current: string | null = sessionStorage.getItem(KEY);
const channel = new BroadcastChannel(KEY);
const arrived = new Set<() => void>();

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('asks' in data) {
    if (current !== null) channel.postMessage({ secret: current } satisfies Message);
    return;
  }
  if (data.secret === current) return;
  keep(data.secret);
  for (const one of [...arrived]) one();
};

function keep(secret: string | null): void {
  current = secret;
  if (secret === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, secret);
}

export const secret = (): string | null => current;

/** After signing in: the cookie of every tab has changed, so all get the secret that belongs to it. */
export function begin(secret: string): void {
  keep(secret);
  channel.postMessage({ secret } satisfies Message);
}

export function forget(): void {
  keep(null);
}

/** Calls back when another tab has signed in. @returns ends it */
export function onArrival(back: () => void): () => void {
  arrived.add(back);
  return () => arrived.delete(back);
}

/** Asks the other tabs. @returns whether there is another secret than before */
export async function askOtherTabs(): Promise<boolean> {
  const before = current;
  await new Promise<void>(done => {
    const end = () => {
      arrived.delete(end);
      done();
    };
    arrived.add(end);
    setTimeout(end, PATIENCE_MS);
    channel.postMessage({ asks: true } satisfies Message);
  });
  return current !== null && current !== before;
}
