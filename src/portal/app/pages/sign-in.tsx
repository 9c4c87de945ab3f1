/** Sign in with a passkey; what to do without one; whether the service is well. */
import { useEffect } from 'preact/hooks';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { hasPasskeys, signInByPasskey } from '../lib/passkey.ts';
import { operator, signedIn } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { useLoad } from '../lib/use-load.ts';
import { Form, useTask } from '../ui/form.tsx';
import { LinkCommand, OpenPage } from '../ui/open-page.tsx';

/** Where the person wanted to go. */
export function goToWantedPage(): void {
  const next = sessionStorage.getItem('next');
  sessionStorage.removeItem('next');
  go(next ?? '/apps', { replace: true });
}

export function SignIn() {
  const t = useStrings();
  const task = useTask();
  const who = useStore(operator);
  useEffect(() => {
    if (who) goToWantedPage();
  }, [who]);
  return (
    <OpenPage title={t.signIn.title}>
      <p class="soft">{t.signIn.intro}</p>
      {!hasPasskeys() && <p class="notice bad">{withoutPasskeys(t)}</p>}
      <Form
        task={task}
        submit={task.isBusy ? t.signIn.waiting : t.signIn.passkey}
        disabled={!hasPasskeys()}
        onSubmit={async () => signedIn(await signInByPasskey())}
      />
      <p>
        <a href="/recovery">{t.recovery.title}</a>
      </p>
      <hr />
      <h2>{t.signIn.helpTitle}</h2>
      <p>{t.signIn.help}</p>
      <LinkCommand />
      <p class="soft">{t.signIn.helpMore}</p>
      <State />
    </OpenPage>
  );
}

function withoutPasskeys(t: ReturnType<typeof useStrings>): string {
  if (isSecureContext && location.hostname !== '127.0.0.1' && location.hostname !== '[::1]')
    return t.signIn.unsupported;
  return t.signIn.notLocalhost(`http://localhost:${location.port}`);
}

type Health = { status: 'ok' | 'degraded' | 'down' };

function State() {
  const t = useStrings();
  const { data, fault } = useLoad<Health>('health', async signal => {
    const answer = await fetch('/health', { cache: 'no-store', signal });
    return answer.json();
  });
  const status = fault ? 'down' : data?.status;
  const sentence = { ok: t.signIn.healthy, degraded: t.signIn.degraded, down: t.signIn.down };
  return (
    <p class="soft state-line" role="status">
      {status && (
        <>
          <span class={`state ${status}`}>{sentence[status]}</span> <a href="/?status">{t.common.status}</a>
        </>
      )}
    </p>
  );
}
