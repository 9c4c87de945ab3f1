/** Sign in with a recovery code. Goes on to the account, where a new passkey is added. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { Fault, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { signedIn } from '../lib/session.ts';
import { Field, Form, useTask } from '../ui/form.tsx';
import { OpenPage } from '../ui/open-page.tsx';

export function Recovery() {
  const t = useStrings();
  const task = useTask();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const isWrong = task.fault instanceof Fault && task.fault.code === 'unauthorized';
  return (
    <OpenPage title={t.recovery.title}>
      <p class="soft">{t.recovery.intro}</p>
      <Form
        task={isWrong ? { ...task, fault: null } : task}
        submit={t.recovery.submit}
        onSubmit={async () => {
          const body = { email: email.trim(), code: code.replace(/[\s-]/g, '') };
          await signedIn(await post<Answer<'begunSession'>>('session/recovery', body, { quiet: true }));
          go('/account', { replace: true });
        }}
      >
        <Field
          label={t.recovery.email}
          inputMode="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
        />
        <Field
          label={t.recovery.code}
          value={code}
          onText={setCode}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          error={isWrong ? t.recovery.wrong : null}
        />
      </Form>
      <p>
        <a href="/sign-in">{t.recovery.back}</a>
      </p>
    </OpenPage>
  );
}
