/**
 * The scope of a write: what it may read and change. Every write names its scope, so that an engine with several
 * writers knows what to lock before `work` begins. SQLite has one writer, so there the scope has no effect.
 *
 * The guarantee: two writes with overlapping scopes run one after the other, and the second sees what the first has
 * committed. The service contains its apps, but not what is in them; an app contains its two galleries, a gallery its
 * users; a scope overlaps with what it contains. So `work` may read first and write later, as long as it reads only in
 * its scope.
 *
 * A write names the smallest scope that it needs: a wider one makes others wait, a smaller one is a race, which SQLite
 * never shows. Besides these four scopes there are three more kinds: the schema, at a start; operators, which the
 * service contains; and statements that need no lock, because each works only with the rows that it changes. Held by
 * test/sqlite/scopes.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';

declare const made: unique symbol;

/** Created only by the functions below. */
export type Scope = { readonly [made]: true } & (
  | { readonly kind: 'schema' }
  | { readonly kind: 'service' }
  | { readonly kind: 'app'; readonly appId: string }
  /** Sorted and unique, so that several are always locked in the same order. */
  | { readonly kind: 'galleries'; readonly galleries: readonly GalleryKey[] }
  | { readonly kind: 'user'; readonly gallery: GalleryKey; readonly userId: string }
  | { readonly kind: 'operators' }
  | { readonly kind: 'rows' | 'new rows' }
);

const scope = (of: object) => Object.freeze(of) as Scope;

/** The tables themselves, at a start. */
export const SCHEMA = scope({ kind: 'schema' });

/** What belongs to no single app: master secret, signing keys, teams, whether there ever was an app. */
export const SERVICE = scope({ kind: 'service' });

/** The portal's operators, teams, sessions and links. Few, so one lock is enough. */
export const OPERATORS = scope({ kind: 'operators' });

/** No lock: no statement of `work` depends on what another one has read. */
export const ROWS = scope({ kind: 'rows' });

/** The same for a statement that adds rows and waits for nobody: it may share a transaction with any other. */
export const NEW_ROWS = scope({ kind: 'new rows' });

/** An app with its API keys, data keys and galleries. */
export const ofApp = (appId: string) => scope({ kind: 'app', appId });

/** The sequence, encoder, email addresses and users of a gallery. */
export const ofGallery = (gallery: GalleryKey) => ofGalleries([gallery]);

export function ofGalleries(galleries: readonly GalleryKey[]): Scope {
  const named = new Map(galleries.map(({ appId, mode }) => [`${appId}:${mode}`, { appId, mode }]));
  return scope({
    kind: 'galleries',
    galleries: [...named.keys()].sort().map(name => named.get(name)),
  });
}

/** One user, with codes and sign-ins, but without the gallery's sequence. */
export const ofUser = ({ appId, mode }: GalleryKey, userId: string) =>
  scope({ kind: 'user', gallery: { appId, mode }, userId });
