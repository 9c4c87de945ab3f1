/** Adding a passkey, and recovery codes, which are shown once. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { addPasskey } from '../lib/passkey.ts';
import { Field, Form, useTask } from './form.tsx';
import { CopyButton } from './text.tsx';

export function NewPasskey({ onDone }: { readonly onDone: () => void }) {
  const t = useStrings();
  const task = useTask();
  const [label, setLabel] = useState('');
  return (
    <Form
      task={task}
      submit={t.account.addPasskey}
      onSubmit={async () => {
        await addPasskey(label.trim());
        onDone();
      }}
    >
      <Field
        label={t.account.passkeyLabel}
        hint={t.account.passkeyLabelHint}
        value={label}
        maxLength={60}
        onText={setLabel}
      />
    </Form>
  );
}

export function Codes() {
  const t = useStrings();
  const task = useTask();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes)
    return (
      <div class="codes">
        <ol>
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <CopyButton text={codes.join('\n')} name={t.link.codes} />
      </div>
    );
  return (
    <Form
      task={task}
      submit={t.link.makeCodes}
      onSubmit={async () => {
        const made = await post<Answer<'recoveryCodes'>>('recovery-codes');
        setCodes(made.codes);
      }}
    />
  );
}
