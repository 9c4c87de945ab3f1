/** Loads what a page shows, and says when that takes long, fails, or has to be done again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Fault } from './api.ts';
import { changed } from './guard.ts';

/** A skeleton that flashes up is worse than none. */
const SLOW_MS = 150;
/** How often a page that lost the service looks for it. */
export const LOOK_MS = 2_000;

export interface Loading<T> {
  readonly data: T | undefined;
  readonly fault: Fault | null;
  /** Nothing to show yet, for long enough to say so. */
  readonly isSlow: boolean;
  /** Keeps what is shown until the new answer is here. */
  again(): Promise<void>;
}

/** @param key loads anew when it changes */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [state, setState] = useState<{ key: string; data?: T; fault: Fault | null }>({ key, fault: null });
  const [isSlow, setSlow] = useState(false);
  const loader = useRef(load);
  loader.current = load;
  const running = useRef<AbortController | null>(null);

  const again = useCallback(async () => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    try {
      const data = await loader.current(own.signal);
      if (!own.signal.aborted) setState({ key, data, fault: null });
    } catch (thrown) {
      if (own.signal.aborted) return;
      const fault = thrown instanceof Fault ? thrown : new Fault('internal_error', String(thrown));
      setState(before => ({ ...(before.key === key ? before : { key }), fault }));
    }
  }, [key]);

  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    again().finally(() => {
      clearTimeout(timer);
      changed();
    });
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [again]);

  const own = state.key === key ? state : { data: undefined, fault: null };
  const isAway = own.fault?.code === 'offline' || own.fault?.status === 503;
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => {
      fetch('/health', { cache: 'no-store' }).then(
        ({ ok }) => {
          if (ok) again();
        },
        () => {},
      );
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isAway, again]);

  const data = 'data' in own ? own.data : undefined;
  return { data, fault: own.fault, isSlow: isSlow && data === undefined && !own.fault, again };
}

/** Calls back every two seconds while the tab is visible. */
export function usePoll(isOn: boolean, look: () => Promise<void>): void {
  const looker = useRef(look);
  looker.current = look;
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const turn = async () => {
      if (document.visibilityState === 'visible') await looker.current().catch(() => {});
      if (!isOver) timer = setTimeout(turn, LOOK_MS);
    };
    turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn]);
}
