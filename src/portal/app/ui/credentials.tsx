/** Adding a passkey, and recovery codes, which are shown once. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { addPasskey } from '../lib/passkey.ts';
import { Form } from './form.tsx';
import { CopyButton } from './text.tsx';

export function NewPasskey({ onDone }: { readonly onDone: () => void }) {
  const t = useStrings();
  return (
    <Form
      submit={t.account.addPasskey}
      fields={{ label: { label: t.account.passkeyLabel, hint: t.account.passkeyLabelHint, maxLength: 60 } }}
      onSubmit={async ({ label }) => {
        await addPasskey(label);
        onDone();
      }}
    />
  );
}

export function Codes() {
  const t = useStrings();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes === null)
    return (
      <Form
        submit={t.link.makeCodes}
        onSubmit={async () => setCodes((await post<Answer<'recoveryCodes'>>('recovery-codes')).codes)}
      />
    );
  return (
    <div class="codes">
      <ol>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton text={codes.join('\n')} name={t.account.codes} />
    </div>
  );
}
