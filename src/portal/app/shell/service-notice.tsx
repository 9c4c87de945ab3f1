/** Says when the service does not answer or is stopping. Looks only after a request has failed, until it is well. */
import { useEffect, useState } from 'preact/hooks';
import { trouble } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { useStore } from '../lib/store.ts';

const LOOK_MS = 2_000;

export function ServiceNotice() {
  const t = useStrings();
  const isTroubled = useStore(trouble);
  const [state, setState] = useState<'away' | 'draining'>('away');
  useEffect(() => {
    if (!isTroubled) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        const answer = await fetch('/health', { cache: 'no-store' });
        if (isOver) return;
        if (answer.ok) return trouble.set(false);
        setState('draining');
      } catch {
        setState('away');
      }
      if (!isOver) timer = setTimeout(look, LOOK_MS);
    };
    timer = setTimeout(look, 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isTroubled]);
  return (
    <div class="away" role="status">
      {isTroubled && <p>{t.nav[state]}</p>}
    </div>
  );
}
