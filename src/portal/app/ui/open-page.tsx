/** The frame of the pages before signing in. */
import type { ComponentChildren } from 'preact';
import { Looks } from './looks.tsx';
import { Title } from './title.tsx';

export function OpenPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="open-page">
      <p class="mark">
        <img src="/assets/icon.svg" alt="" width="32" height="32" />
        <span>face-sign-in</span>
      </p>
      <section class="card">
        <Title>{title}</Title>
        {children}
      </section>
      <Looks isBare />
    </div>
  );
}
