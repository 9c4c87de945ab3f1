/**
 * What stands around every page: header, menu, and the dialogs that open when a session is over or an action needs a
 * passkey again. In test mode the whole page has a coloured frame and says so.
 */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import { trouble } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps, place } from '../lib/location.ts';
import { onArrival } from '../lib/secret.ts';
import { operator, resume } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { LOOK_MS } from '../lib/use-load.ts';
import { Act } from '../ui/form.tsx';
import { FaultBox, Gone, Skeleton } from '../ui/states.tsx';
import { Gates } from './gates.tsx';
import { Header } from './header.tsx';
import { Menu } from './menu.tsx';
import { type Found, type PageRoute, pageAt } from './pages.ts';

export function Shell() {
  const t = useStrings();
  const path = useStore(place);
  const who = useStore(operator);
  const [fault, setFault] = useState<unknown>(null);
  const found = pageAt(path);
  const mode = (found?.match.mode ?? null) as Mode | null;

  const start = () => {
    setFault(null);
    resume().catch(setFault);
  };
  useEffect(() => {
    start();
    return onArrival(() => {
      if (!operator.get()) start();
    });
  }, []);
  useEffect(() => {
    document.body.dataset.mode = mode ?? '';
  }, [mode]);

  const isOpen = found?.route.isOpen ?? false;
  useEffect(() => {
    if (who === null && !isOpen) {
      sessionStorage.setItem('next', path);
      go('/sign-in', { replace: true });
    }
  }, [who, isOpen, path]);

  if (fault && !isOpen)
    return (
      <Bare>
        <FaultBox fault={fault} again={start} />
      </Bare>
    );
  if (!isOpen && !who) return <Bare>{who === undefined && <Skeleton isPage />}</Bare>;
  const isFull = !isOpen && who;
  return (
    <>
      <a class="skip" href="#content">
        {t.nav.skip}
      </a>
      {isFull ? <Header match={found?.match ?? {}} mode={mode} /> : null}
      <div class={isFull ? 'body' : 'body open'}>
        {isFull && <Menu path={path} match={found?.match ?? {}} />}
        <Main found={found} path={path} />
      </div>
      <ServiceNotice />
      <Gates />
    </>
  );
}

function Bare({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <div class="body open">
      <main>{children}</main>
    </div>
  );
}

/** Loads the page's code, shows it, and puts the focus on its heading when it is another page than before. */
function Main({ found, path }: { readonly found: Found | null; readonly path: string }) {
  const { Page, failed } = usePage(found?.route ?? null);
  const own = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) own.current?.focus();
    if (Page) isFirst.current = false;
  }, [Page, path]);
  return (
    <main id="content" tabIndex={-1} ref={own}>
      {found === null ? (
        <Gone />
      ) : failed ? (
        <NewVersion />
      ) : Page ? (
        <Page key={path} match={found.match} />
      ) : (
        <Skeleton isPage />
      )}
    </main>
  );
}

function usePage(route: PageRoute | null): { Page: ComponentType<PageProps> | null; failed: boolean } {
  type State = { route: PageRoute | null; Page: ComponentType<PageProps> | null; failed: boolean };
  const [state, setState] = useState<State>({ route: null, Page: null, failed: false });
  useEffect(() => {
    if (!route || state.route === route) return;
    route.load().then(
      Page => setState({ route, Page, failed: false }),
      () => setState({ route, Page: null, failed: true }),
    );
  }, [route]);
  return state.route === route ? state : { Page: null, failed: false };
}

/** A page's file is gone: another version of the service serves others. */
function NewVersion() {
  const t = useStrings();
  return (
    <div class="notice plain" role="alert">
      <p>{t.nav.newVersion}</p>
      <Act look="primary" text={t.nav.reload} action={() => location.reload()} />
    </div>
  );
}

/** Says when the service does not answer or is stopping. Looks only after a request has failed, until it is well. */
function ServiceNotice() {
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
