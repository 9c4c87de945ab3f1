/** Paths and their pages. A page's code is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import { fits, type PageProps } from '../lib/location.ts';

export interface PageRoute {
  readonly pattern: string;
  readonly load: () => Promise<ComponentType<PageProps>>;
  /** For people who are not signed in. */
  readonly isOpen?: boolean;
}

const open = { isOpen: true } as const;

const ROUTES: readonly PageRoute[] = [
  { pattern: '/sign-in', load: async () => (await import('../pages/sign-in.tsx')).SignIn, ...open },
  { pattern: '/recovery', load: async () => (await import('../pages/recovery.tsx')).Recovery, ...open },
  { pattern: '/link', load: async () => (await import('../pages/link.tsx')).Link, ...open },
  { pattern: '/apps', load: async () => (await import('../pages/apps.tsx')).Apps },
  { pattern: '/apps/:id', load: async () => (await import('../pages/overview.tsx')).Overview },
  { pattern: '/apps/:id/:mode', load: async () => (await import('../pages/overview.tsx')).Overview },
  { pattern: '/apps/:id/:mode/keys', load: async () => (await import('../pages/keys.tsx')).Keys },
  { pattern: '/apps/:id/:mode/users', load: async () => (await import('../pages/users.tsx')).Users },
  { pattern: '/apps/:id/:mode/webhooks', load: async () => (await import('../pages/webhooks.tsx')).Webhooks },
  {
    pattern: '/apps/:id/:mode/webhooks/:webhook',
    load: async () => (await import('../pages/webhook.tsx')).WebhookPage,
  },
  {
    pattern: '/apps/:id/:mode/users/:user',
    load: async () => (await import('../pages/person.tsx')).PersonPage,
  },
  { pattern: '/apps/:id/:mode/events', load: async () => (await import('../pages/events.tsx')).Events },
  { pattern: '/apps/:id/:mode/faces', load: async () => (await import('../pages/faces.tsx')).Faces },
  { pattern: '/apps/:id/:mode/refusals', load: async () => (await import('../pages/refusals.tsx')).Refusals },
  { pattern: '/apps/:id/:mode/settings', load: async () => (await import('../pages/settings.tsx')).Settings },
  { pattern: '/teams', load: async () => (await import('../pages/teams.tsx')).Teams },
  { pattern: '/teams/:team', load: async () => (await import('../pages/teams.tsx')).Teams },
  { pattern: '/account', load: async () => (await import('../pages/account.tsx')).AccountPage },
  { pattern: '/installation', load: async () => (await import('../pages/installation.tsx')).Installation },
  {
    pattern: '/installation/:part',
    load: async () => (await import('../pages/installation.tsx')).Installation,
  },
];

export interface Found extends PageProps {
  readonly route: PageRoute;
}

export function pageAt(path: string): Found | null {
  for (const route of ROUTES) {
    const match = fits(route.pattern, path);
    if (match && (match.mode === undefined || MODES.includes(match.mode as Mode))) return { route, match };
  }
  return null;
}
