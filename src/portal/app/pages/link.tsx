/**
 * Opens a one-time link. Its token is read from the fragment and removed from the address bar and the history at once.
 * It is sent only when the person asks for it, so that a preview of the page uses nothing up. Then a new operator gets
 * a passkey and recovery codes.
 */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { Fault, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { hasPasskeys } from '../lib/passkey.ts';
import { operator, renew, signedIn } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Codes, NewPasskey } from '../ui/credentials.tsx';
import { Act, Form, useTask } from '../ui/form.tsx';
import { LinkCommand, OpenPage } from '../ui/open-page.tsx';
import { TextWithCode } from '../ui/text.tsx';

let token = '';
function takeToken(): string {
  if (location.hash.length > 1) {
    token = location.hash.slice(1);
    history.replaceState(null, '', location.pathname);
  }
  return token;
}
takeToken();
addEventListener('hashchange', () => {
  if (location.pathname === '/link') takeToken();
});

export function Link() {
  const [isDone, setDone] = useState(false);
  return isDone ? <SetUp /> : <Open onDone={() => setDone(true)} />;
}

function Open({ onDone }: { readonly onDone: () => void }) {
  const t = useStrings();
  const task = useTask();
  const who = useStore(operator);
  const [asks, setAsks] = useState<readonly ('name' | 'email')[]>([]);
  if (takeToken() === '')
    return (
      <OpenPage title={t.link.title}>
        <p>
          <TextWithCode>{t.link.none}</TextWithCode>
        </p>
        <a class="button" href="/sign-in">
          {t.signIn.title}
        </a>
      </OpenPage>
    );
  const open = async (typed: Readonly<Record<string, string>>) => {
    const fields = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
    try {
      const body = { token, ...fields };
      const { session, operator: own } = await post<Answer<'redeemed'>>('links/redeem', body, {
        quiet: true,
      });
      token = '';
      if ('secret' in session) {
        await signedIn({ session, operator: own });
        onDone();
      } else {
        await renew();
        go('/teams', { replace: true });
      }
    } catch (thrown) {
      const missing = missingIn(thrown);
      if (missing.length === 0) throw thrown;
      const isNew = missing.some(field => !asks.includes(field));
      setAsks([...new Set([...asks, ...missing])]);
      if (!isNew) throw thrown;
    }
  };
  const isUsed = task.fault instanceof Fault && task.fault.code === 'link_used';
  const needsSession = task.fault instanceof Fault && task.fault.code === 'sign_in_first';
  return (
    <OpenPage title={t.link.title}>
      <p class="soft">{who ? t.link.invited : t.link.intro}</p>
      <Form
        task={task}
        submit={t.link.open}
        onSubmit={open}
        fields={{
          name: asks.includes('name') && { label: t.link.name, autoComplete: 'name' },
          email: asks.includes('email') && {
            label: t.link.email,
            hint: t.link.emailHint,
            kind: 'email',
            autoComplete: 'email',
          },
        }}
      />
      {isUsed && <LinkCommand words={['EMAIL']} />}
      <Act look="" can={needsSession} text={t.signIn.title} action={signInHere} />
    </OpenPage>
  );
}

/** The token stays in this tab's memory while the person signs in, and the link is opened again. */
function signInHere(): void {
  sessionStorage.setItem('next', '/link');
  go('/sign-in');
}

/** Fields that the service asks for: its message names the first. Whoever says their address also says their name. */
function missingIn(thrown: unknown): ('name' | 'email')[] {
  if (!(thrown instanceof Fault) || thrown.code !== 'invalid_request') return [];
  if (/^email\b/.test(thrown.message)) return ['name', 'email'];
  return /^name\b/.test(thrown.message) ? ['name'] : [];
}

function SetUp() {
  const t = useStrings();
  const [step, setStep] = useState<'passkey' | 'codes'>('passkey');
  return (
    <OpenPage title={t.link.setUp}>
      {step === 'passkey' ? (
        <>
          <p>{t.link.setUpText}</p>
          {hasPasskeys() ? (
            <NewPasskey onDone={() => setStep('codes')} />
          ) : (
            <p class="notice bad">{t.signIn.unsupported}</p>
          )}
          <Act text={t.link.later} action={() => setStep('codes')} />
        </>
      ) : (
        <>
          <h2>{t.account.codes}</h2>
          <p>{t.link.codesText}</p>
          <Codes />
          <p>
            <Act look="primary" text={t.link.done} action={() => go('/apps', { replace: true })} />
          </p>
        </>
      )}
    </OpenPage>
  );
}
