/** What pages are made of: the heading, sections with a frame, facts by their names. */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { TextWithCode } from './text.tsx';

interface TitleOptions {
  readonly children: string;
  /** What the page is about. */
  readonly intro?: string;
}

/** The heading of a page, which is also the title of the tab. */
export function Title({ children, intro }: TitleOptions) {
  useEffect(() => {
    document.title = `${children} · face-sign-in`;
  }, [children]);
  return (
    <>
      <h1>{children}</h1>
      {intro !== undefined && <p class="soft">{intro}</p>}
    </>
  );
}

interface CardOptions {
  readonly title?: string;
  readonly intro?: string;
  /** Further classes. */
  readonly look?: string;
  readonly children?: ComponentChildren;
}

export function Card({ title, intro, look = '', children }: CardOptions) {
  return (
    <section class={`card ${look}`}>
      {title !== undefined && <h2>{title}</h2>}
      {intro !== undefined && (
        <p class="soft">
          <TextWithCode>{intro}</TextWithCode>
        </p>
      )}
      {children}
    </section>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ of }: { readonly of: readonly (Fact | null)[] }) {
  return (
    <dl>
      {of.map(
        fact =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function Id({ children }: { readonly children: string }) {
  return <code class="id">{children}</code>;
}

interface BadgeOptions {
  readonly kind?: string;
  readonly children: ComponentChildren;
}

export function Badge({ kind = 'plain', children }: BadgeOptions) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
