/** The frame of the pages before signing in, and the command that makes a link to sign in with. */
import type { ComponentChildren } from 'preact';
import { ABOUT } from '../lib/about.ts';
import { useStrings } from '../lib/language.ts';
import { Looks } from './looks.tsx';
import { Title } from './parts.tsx';
import { CodeBlock } from './text.tsx';

interface PageOptions {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function OpenPage({ title, children }: PageOptions) {
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

/** As it works where the page is read. @param words one line for each: what follows the command */
export function LinkCommand({ words = ['--admin', 'EMAIL'] }: { readonly words?: readonly string[] }) {
  const t = useStrings();
  // Elsewhere the server names no path and no user of its machine, so people have to.
  const isElsewhere = location.hostname !== 'localhost';
  return (
    <>
      <CodeBlock text={words.map(word => `${ABOUT.cli} operator link ${word}`).join('\n')} name="Shell" />
      {isElsewhere && <p class="soft">{t.signIn.helpSettings}</p>}
    </>
  );
}
