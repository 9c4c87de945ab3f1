/** Where the page is: the address bar, and how links change it without loading the page again. */
import { APP_PATHS } from '../../../protocol/portal/paths.ts';
import { changed } from './guard.ts';
import { store } from './store.ts';

const isOwn = (path: string) => APP_PATHS.some(start => `${path}/`.startsWith(`/${start}/`));

export const place = store(location.pathname);
place.follow(changed);

addEventListener('popstate', () => place.set(location.pathname));

export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  scrollTo(0, 0);
  place.set(location.pathname);
}

/** Follows links inside the app. All others, and those for a new tab, are left to the browser. */
addEventListener('click', event => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (!isOwn(link.pathname) || link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  if (link.pathname !== location.pathname) go(link.pathname);
});

export interface Match {
  readonly [name: string]: string;
}

/** What every page gets. */
export interface PageProps {
  readonly match: Match;
}

/** `/apps/:id/:mode` against a path. Null if it does not fit. */
export function fits(pattern: string, path: string): Match | null {
  const wanted = pattern.split('/');
  const parts = path.replace(/\/$/, '').split('/');
  if (wanted.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [i, name] of wanted.entries()) {
    const part = parts[i] as string;
    if (name.startsWith(':')) found[name.slice(1)] = decodeURIComponent(part);
    else if (name !== part) return null;
  }
  return found;
}
