/** The operator's own: name, looks, passkeys, recovery codes, sessions. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { renew } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Codes, NewPasskey } from '../ui/credentials.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form, useTask } from '../ui/form.tsx';
import { Looks } from '../ui/looks.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge, Browser, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

export function AccountPage() {
  const t = useStrings();
  const load = useLoad('account', signal => get<Answer<'account'>>('account', { signal }));
  return (
    <>
      <Title>{t.account.title}</Title>
      <Loaded of={load}>{({ account }) => <Profile account={account} />}</Loaded>
      <Passkeys />
      <RecoveryCodes left={load.data?.account.recovery_codes} onMade={load.again} />
      <Sessions />
    </>
  );
}

function Profile({ account }: Answer<'account'>) {
  const t = useStrings();
  const task = useTask();
  const [name, setName] = useState(account.name);
  const [kept, setKept] = useState(account);
  const isSame = name.trim() === kept.name;
  const keep = (change: Partial<Answer<'account'>['account']>) => patch('account', change).catch(() => {});
  return (
    <>
      <section class="card">
        <h2>{t.account.profile}</h2>
        <Form
          task={task}
          submit={t.common.save}
          disabled={isSame}
          onSubmit={async () => {
            setKept((await patch<Answer<'account'>>('account', { name: name.trim() })).account);
            await renew();
          }}
        >
          <Field label={t.account.name} value={name} onText={setName} autoComplete="name" />
          <Field
            label={t.account.email}
            hint={t.account.emailHint}
            value={kept.email}
            onText={() => {}}
            disabled
          />
        </Form>
      </section>
      <section class="card">
        <h2>{t.account.looks}</h2>
        <Looks
          onLanguage={language => keep({ language })}
          onTheme={to => keep({ theme: to === 'system' ? null : to })}
        />
      </section>
    </>
  );
}

function Passkeys() {
  const t = useStrings();
  const [open, setOpen] = useState<'add' | 'rename' | 'remove' | null>(null);
  const [chosen, setChosen] = useState<Answer<'passkey'> | null>(null);
  const load = useLoad('passkeys', signal => get<Answer<'passkeyList'>>('passkeys', { signal }));
  const choose = (what: 'rename' | 'remove', passkey: Answer<'passkey'>) => {
    setChosen(passkey);
    setOpen(what);
  };
  const close = () => setOpen(null);
  return (
    <section class="card">
      <h2>{t.account.passkeys}</h2>
      <Loaded of={load}>
        {({ passkeys }) => (
          <>
            {passkeys.length === 0 && <p class="notice warn">{t.account.passkeysNone}</p>}
            <ul class="list">
              {passkeys.map(passkey => (
                <li key={passkey.id}>
                  <div>
                    <div class="strong">{passkey.label}</div>
                    <div class="soft small-text">
                      {t.account.added} <When at={passkey.created_at} /> · {t.account.used}{' '}
                      <When at={passkey.last_used_at} none={t.common.never} />
                    </div>
                  </div>
                  <div class="actions">
                    <button type="button" class="small" onClick={() => choose('rename', passkey)}>
                      {t.account.rename}
                      <span class="unseen"> {passkey.label}</span>
                    </button>
                    <button type="button" class="small danger" onClick={() => choose('remove', passkey)}>
                      {t.common.remove}
                      <span class="unseen"> {passkey.label}</span>
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <button type="button" onClick={() => setOpen('add')}>
        {t.account.addPasskey}
      </button>
      {open === 'add' && (
        <Dialog title={t.account.addPasskey} onClose={close}>
          <NewPasskey
            onDone={() => {
              close();
              load.again();
            }}
          />
          <button type="button" class="small" onClick={close}>
            {t.common.cancel}
          </button>
        </Dialog>
      )}
      {open === 'rename' && chosen && <Rename of={chosen} onDone={load.again} onClose={close} />}
      {open === 'remove' && chosen && (
        <Confirm
          title={t.account.removePasskey(chosen.label)}
          submit={t.common.remove}
          kind="danger"
          action={async () => {
            await del(`passkeys/${chosen.id}`);
            await load.again();
          }}
          onClose={close}
        >
          <p>{t.account.removePasskeyText}</p>
        </Confirm>
      )}
    </section>
  );
}

interface RenameOptions {
  readonly of: Answer<'passkey'>;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function Rename({ of, onDone, onClose }: RenameOptions) {
  const t = useStrings();
  const [label, setLabel] = useState(of.label);
  return (
    <Confirm
      title={t.account.rename}
      submit={t.common.save}
      disabled={label.trim() === ''}
      action={async () => {
        await patch(`passkeys/${of.id}`, { label: label.trim() });
        await onDone();
      }}
      onClose={onClose}
    >
      <Field label={t.account.passkeyLabel} value={label} onText={setLabel} />
    </Confirm>
  );
}

interface CodesOptions {
  readonly left: number | undefined;
  readonly onMade: () => Promise<void>;
}

function RecoveryCodes({ left, onMade }: CodesOptions) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card">
      <h2>{t.account.codes}</h2>
      <p>
        {t.account.codesText} {left !== undefined && t.account.codesLeft(left)}
      </p>
      <button type="button" onClick={() => setOpen(true)}>
        {t.account.makeCodes}
      </button>
      {isOpen && (
        <Dialog title={t.account.codesTitle} onClose={() => setOpen(false)} isFirm>
          <p>{t.account.codesOnce}</p>
          <Codes />
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              onMade();
            }}
          >
            {t.account.codesKept}
          </button>
        </Dialog>
      )}
    </section>
  );
}

function Sessions() {
  const t = useStrings();
  const task = useTask();
  const load = useLoad('sessions', signal => get<Answer<'sessionList'>>('sessions', { signal }));
  return (
    <section class="card">
      <h2>{t.account.sessions}</h2>
      <Loaded of={load}>
        {({ sessions }) => (
          <ul class="list">
            {sessions.map(one => (
              <li key={one.id}>
                <div>
                  <div>
                    <Browser of={one.user_agent} />{' '}
                    {one.current && <Badge kind="good">{t.account.thisSession}</Badge>}
                  </div>
                  <div class="soft small-text">
                    {one.ip} · {t.account.means[one.means]} · {t.account.began} <When at={one.began_at} /> ·{' '}
                    {t.account.seen} <When at={one.seen_at} />
                  </div>
                </div>
                {!one.current && (
                  <button
                    type="button"
                    class="small"
                    onClick={() =>
                      task.run(async () => {
                        await del(`sessions/${one.id}`);
                        await load.again();
                      })
                    }
                  >
                    {t.account.end}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
