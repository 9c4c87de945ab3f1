/** Shows a one-time link, once. */
import { useStrings } from '../lib/language.ts';
import { Dialog } from './dialog.tsx';
import { CopyButton, TextWithCode } from './text.tsx';

interface LinkOptions {
  readonly url: string;
  readonly text: string;
  readonly onClose: () => void;
}

export function LinkDialog({ url, text, onClose }: LinkOptions) {
  const t = useStrings();
  return (
    <Dialog title={t.teams.linkTitle} onClose={onClose} isFirm>
      <p>{text}</p>
      <code class="key">{url}</code>
      {new URL(url).hostname === 'localhost' && (
        <p class="notice warn">
          <TextWithCode>{t.teams.linkLocal}</TextWithCode>
        </p>
      )}
      <div class="actions">
        <CopyButton text={url} name={t.teams.linkTitle} kind="primary" />
        <button type="button" onClick={onClose}>
          {t.teams.linkClose}
        </button>
      </div>
    </Dialog>
  );
}
