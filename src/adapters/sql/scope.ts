/**
 * What a write is about. Every write names its scope, so that an engine on which several transactions write at once knows
 * what to lock before `work` begins. SQLite has one writer: there a scope changes nothing.
 *
 * The guarantee: of two writes whose scopes overlap one begins when the other is committed or undone, and sees what it
 * committed. The service contains its apps, an app its two galleries, a gallery its users; what contains the other
 * overlaps. So `work` may look first and write then, as long as what it looks at lies in its scope.
 *
 * A write names the smallest scope of which that is true: a wider one makes others wait, a smaller one is a race that
 * SQLite never shows. Beside the four that contain each other stand two kinds: windows, by their keys, and statements
 * that need no lock, because each decides by itself with the rows that it changes. test/sqlite/scopes.ts holds who names what.
 */
import type { GalleryKey } from '../../ports/matcher.ts';

declare const made: unique symbol;

/** Made by the functions below, and by nothing else. */
export type Scope = { readonly [made]: true } & (
  | { readonly kind: 'service' }
  | { readonly kind: 'app'; readonly appId: string }
  /** Sorted, each once: whoever locks several does it in this order. */
  | { readonly kind: 'galleries'; readonly galleries: readonly GalleryKey[] }
  | { readonly kind: 'user'; readonly gallery: GalleryKey; readonly userId: string }
  /** Sorted, each once. */
  | { readonly kind: 'windows'; readonly keys: readonly string[] }
  | { readonly kind: 'rows' }
);

const scope = (of: object) => Object.freeze(of) as Scope;

/** What belongs to no single app: the schema, the master secret, the signing keys, whether there ever was an app. */
export const SERVICE = scope({ kind: 'service' });

/** No lock: each statement of `work` decides by itself, and none depends on what another one has read. */
export const ROWS = scope({ kind: 'rows' });

/** An app with its API keys, its data keys, and all that is in its galleries. */
export const ofApp = (appId: string) => scope({ kind: 'app', appId });

/** The sequence, the encoder, the addresses and the people of a gallery. */
export const ofGallery = (gallery: GalleryKey) => ofGalleries([gallery]);

export function ofGalleries(galleries: readonly GalleryKey[]): Scope {
  const named = new Map(galleries.map(({ appId, mode }) => [`${appId}:${mode}`, { appId, mode }]));
  return scope({
    kind: 'galleries',
    galleries: [...named.keys()].sort().map(name => named.get(name)),
  });
}

/** One user, with codes and sign-ins. The gallery's sequence is not in it. */
export const ofUser = ({ appId, mode }: GalleryKey, userId: string) =>
  scope({ kind: 'user', gallery: { appId, mode }, userId });

/** Windows that are looked at together before they are counted up. One by itself needs no lock. */
export const ofWindows = (windows: readonly { readonly key: string }[]) =>
  scope({ kind: 'windows', keys: [...new Set(windows.map(({ key }) => key))].sort() });
