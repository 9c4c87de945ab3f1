/** The command that makes a link, as it works where the page is read. */
import { ABOUT } from '../lib/about.ts';
import { useStrings } from '../lib/language.ts';
import { CodeBlock } from './text.tsx';

/** @param words one line for each: what follows the command */
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
