/** The top of the page: which app and mode this is, and who is signed in. */
import { useEffect } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import { allApps, loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go, type Match, place } from '../lib/location.ts';
import { operator } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Choice } from '../ui/fields.tsx';

function Mark() {
  return (
    <a class="mark" href="/apps">
      <img src="/assets/icon.svg" alt="" width="26" height="26" />
      <span>face-sign-in</span>
    </a>
  );
}

export function Header({ match, mode: shown }: { readonly match: Match; readonly mode: Mode | null }) {
  const t = useStrings();
  const apps = useStore(allApps);
  const who = useStore(operator);
  useEffect(() => {
    loadApps().catch(() => {});
  }, []);
  const { id, mode = 'test' } = match;
  const rest = place.get().split('/').slice(4).join('/');
  const pathOf = (appId: string, to: string) => `/apps/${appId}/${to}${rest ? `/${rest}` : ''}`;
  return (
    <header class={shown === 'test' ? 'in-test' : ''}>
      <div class="top">
        <Mark />
        {id !== undefined && apps && (
          <div class="where">
            <Choice
              isBare
              label={t.nav.app}
              value={id}
              options={apps.map(app => [app.id, app.name] as const)}
              onChoice={to => go(pathOf(to, mode))}
            />
            <nav class="modes" aria-label={t.nav.mode}>
              {(['test', 'live'] as const).map(to => (
                <a key={to} class={to} href={pathOf(id, to)} aria-current={to === mode ? 'true' : undefined}>
                  {t.nav[to]}
                </a>
              ))}
            </nav>
          </div>
        )}
        <a class="who" href="/account">
          {who?.name}
        </a>
      </div>
      {shown === 'test' && (
        <p class="test-mode">
          <strong>{t.nav.testMode}</strong> <span>{t.nav.testModeText}</span>
        </p>
      )}
    </header>
  );
}
