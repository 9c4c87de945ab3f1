/** Sign in with a recovery code. Goes on to the account, where a new passkey is added. */
import type { Answer } from '../../../protocol/portal/answers.ts';
import { Fault, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { signedIn } from '../lib/session.ts';
import { Form } from '../ui/form.tsx';
import { OpenPage } from '../ui/open-page.tsx';

export function Recovery() {
  const t = useStrings();
  const wrong = (fault: unknown) =>
    fault instanceof Fault && fault.code === 'unauthorized' ? t.recovery.wrong : null;
  return (
    <OpenPage title={t.recovery.title}>
      <p class="soft">{t.recovery.intro}</p>
      <Form
        submit={t.recovery.submit}
        onSubmit={async ({ email, code }) => {
          const body = { email, code: code.replace(/[\s-]/g, '') };
          await signedIn(await post<Answer<'begunSession'>>('session/recovery', body, { quiet: true }));
          go('/account', { replace: true });
        }}
        fields={{
          email: { label: t.common.email, kind: 'email', autoComplete: 'username' },
          code: { label: t.recovery.code, kind: 'code', faultOf: wrong },
        }}
      />
      <p>
        <a href="/sign-in">{t.recovery.back}</a>
      </p>
    </OpenPage>
  );
}
