/** The main menu: the pages of the chosen app, then those of the installation. */
import { useEffect, useRef } from 'preact/hooks';
import { ABOUT } from '../lib/about.ts';
import { useStrings } from '../lib/language.ts';
import type { Match } from '../lib/location.ts';
import { may, signOut } from '../lib/session.ts';

export function Menu({
  path,
  match: { id, mode = 'test' },
}: {
  readonly path: string;
  readonly match: Match;
}) {
  const t = useStrings();
  const own = useRef<HTMLDetailsElement>(null);
  // On a phone the menu closes once it has led somewhere.
  useEffect(() => {
    if (own.current && !matchMedia('(min-width: 60rem)').matches) own.current.open = false;
  }, [path]);
  useEffect(() => {
    const wide = matchMedia('(min-width: 60rem)');
    const fit = () => {
      if (own.current) own.current.open = wide.matches;
    };
    fit();
    wide.addEventListener('change', fit);
    return () => wide.removeEventListener('change', fit);
  }, []);
  const item = (href: string, text: string, isWhole = false) => {
    const isHere = isWhole ? path === href : path === href || path.startsWith(`${href}/`);
    return (
      <li key={href}>
        <a href={href} aria-current={isHere ? 'page' : undefined}>
          {text}
        </a>
      </li>
    );
  };
  const at = `/apps/${id}/${mode}`;
  return (
    <nav class="menu" aria-label={t.nav.main}>
      <details ref={own}>
        <summary>{t.nav.menu}</summary>
        {id !== undefined && (
          <ul>
            {item(at, t.nav.overview, true)}
            {item(`${at}/users`, t.nav.users)}
            {item(`${at}/events`, t.nav.events)}
            {item(`${at}/faces`, t.nav.faces)}
            {item(`${at}/keys`, t.nav.keys)}
            {item(`${at}/webhooks`, t.nav.webhooks)}
            {item(`${at}/refusals`, t.nav.refusals)}
            {item(`${at}/settings`, t.nav.settings)}
          </ul>
        )}
        <ul>
          {item('/apps', t.nav.apps, true)}
          {item('/teams', t.common.team)}
          {may('installation.read')
            ? item('/installation', t.nav.installation)
            : item('/installation/audit', t.installation.audit)}
          {item('/account', t.nav.account)}
        </ul>
        <ul>
          {item('/docs', t.nav.docs)}
          {ABOUT.hasTry &&
            item(id === undefined ? '/try' : `/try?app=${encodeURIComponent(id)}`, t.nav.tryIt)}
          <li>
            <button type="button" class="plain" onClick={signOut}>
              {t.nav.signOut}
            </button>
          </li>
        </ul>
      </details>
    </nav>
  );
}
