/** The two dialogs that a request may open: sign in again, and confirm with a passkey. One of each at a time. */
import { useEffect, useState } from 'preact/hooks';
import { gates } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { hasPasskeys, signInByPasskey, stepUp } from '../lib/passkey.ts';
import { onArrival } from '../lib/secret.ts';
import { operator, resume, signedIn } from '../lib/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Act, Form } from '../ui/form.tsx';
import { LinkCommand } from '../ui/open-page.tsx';

type Gate = 'signIn' | 'stepUp';
interface Asked {
  readonly gate: Gate;
  readonly done: (isPassed: boolean) => void;
}

export function Gates() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    const running = new Map<Gate, Promise<boolean>>();
    const ask = (gate: Gate) => () => {
      const found = running.get(gate);
      if (found) return found;
      const own = new Promise<boolean>(resolve => {
        const done = (isPassed: boolean) => {
          setAsked(null);
          running.delete(gate);
          resolve(isPassed);
        };
        setAsked({ gate, done });
      });
      running.set(gate, own);
      return own;
    };
    gates.signIn = ask('signIn');
    gates.stepUp = ask('stepUp');
  }, []);
  if (!asked) return null;
  return asked.gate === 'signIn' ? <SignInAgain done={asked.done} /> : <StepUp done={asked.done} />;
}

function SignInAgain({ done }: { readonly done: (isPassed: boolean) => void }) {
  const t = useStrings();
  const sign = async () => {
    const before = operator.get()?.id;
    const begun = await signInByPasskey();
    await signedIn(begun);
    // Nothing of somebody else stays on the page.
    if (before !== undefined && before !== begun.operator.id) return location.reload();
    done(true);
  };
  // Another tab has signed in.
  useEffect(
    () =>
      onArrival(async () => {
        const before = operator.get()?.id;
        await resume();
        if (before !== undefined && before !== operator.get()?.id) return location.reload();
        done(true);
      }),
    [],
  );
  return (
    <Dialog title={t.over.title} onClose={() => done(false)}>
      <p>{t.over.text}</p>
      <Form
        submit={t.signIn.passkey}
        disabled={!hasPasskeys()}
        onSubmit={sign}
        beside={
          <a class="button" href="/sign-in" target="_blank" rel="noopener">
            {t.over.elsewhere}
          </a>
        }
      />
      <p>
        <Act text={t.common.close} action={() => done(false)} />
      </p>
    </Dialog>
  );
}

function StepUp({ done }: { readonly done: (isPassed: boolean) => void }) {
  const t = useStrings();
  const email = operator.get()?.email ?? '';
  return (
    <Dialog title={t.step.title} onClose={() => done(false)}>
      <p>{t.step.text}</p>
      <Form
        submit={t.step.passkey}
        disabled={!hasPasskeys()}
        onSubmit={async () => {
          await stepUp();
          done(true);
        }}
        beside={<Act look="" text={t.common.cancel} action={() => done(false)} />}
      />
      <details>
        <summary>{t.step.none}</summary>
        <LinkCommand words={[email]} />
      </details>
    </Dialog>
  );
}
