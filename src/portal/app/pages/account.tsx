/** The operator's own: name, looks, passkeys, recovery codes, sessions. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { renew } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Codes, NewPasskey } from '../ui/credentials.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Act, Form, useTask } from '../ui/form.tsx';
import { Items } from '../ui/lists.tsx';
import { Looks } from '../ui/looks.tsx';
import { Badge, Card, Title } from '../ui/parts.tsx';
import { FaultBox, Loaded } from '../ui/states.tsx';
import { Browser, When } from '../ui/text.tsx';

export function AccountPage() {
  const t = useStrings();
  const load = useLoad('account', signal => get<Answer<'account'>>('account', { signal }));
  return (
    <>
      <Title>{t.nav.account}</Title>
      <Loaded of={load}>{({ account }) => <Profile account={account} />}</Loaded>
      <Passkeys />
      <RecoveryCodes left={load.data?.account.recovery_codes} onMade={load.again} />
      <Sessions />
    </>
  );
}

function Profile({ account }: Answer<'account'>) {
  const t = useStrings();
  const [kept, setKept] = useState(account);
  const keep = (change: Partial<Answer<'account'>['account']>) => patch('account', change).catch(() => {});
  return (
    <>
      <Card title={t.account.profile}>
        <Form
          submit={t.common.save}
          isReady={({ name }) => name !== kept.name}
          onSubmit={async ({ name }) => {
            setKept((await patch<Answer<'account'>>('account', { name })).account);
            await renew();
          }}
          fields={{
            name: { label: t.common.name, first: account.name, autoComplete: 'name' },
            email: { label: t.common.email, hint: t.account.emailHint, first: kept.email, disabled: true },
          }}
        />
      </Card>
      <Card title={t.account.looks}>
        <Looks
          onLanguage={language => keep({ language })}
          onTheme={to => keep({ theme: to === 'system' ? null : to })}
        />
      </Card>
    </>
  );
}

function Passkeys() {
  const t = useStrings();
  const [isAdding, setAdding] = useState(false);
  const load = useLoad('passkeys', signal => get<Answer<'passkeyList'>>('passkeys', { signal }));
  const close = () => setAdding(false);
  return (
    <Card title={t.account.passkeys}>
      <Loaded of={load}>
        {({ passkeys }) => (
          <>
            {passkeys.length === 0 && <p class="notice warn">{t.account.passkeysNone}</p>}
            <Items
              of={passkeys.map(({ id, label, created_at, last_used_at }) => ({
                key: id,
                name: <div class="strong">{label}</div>,
                about: (
                  <>
                    {t.account.added} <When at={created_at} /> · {t.account.used}{' '}
                    <When at={last_used_at} none={t.common.never} />
                  </>
                ),
                acts: (
                  <>
                    <Ask
                      text={t.account.rename}
                      of={label}
                      title={t.account.rename}
                      submit={t.common.save}
                      fields={{ label: { label: t.account.passkeyLabel, first: label } }}
                      isReady={typed => typed.label !== ''}
                      action={typed => patch(`passkeys/${id}`, typed)}
                      again={load.again}
                    />
                    <Ask
                      look="small danger"
                      text={t.common.remove}
                      of={label}
                      title={t.account.removePasskey(label)}
                      says={t.account.removePasskeyText}
                      action={() => del(`passkeys/${id}`)}
                      again={load.again}
                    />
                  </>
                ),
              }))}
            />
          </>
        )}
      </Loaded>
      <Act look="" text={t.account.addPasskey} action={() => setAdding(true)} />
      {isAdding && (
        <Dialog title={t.account.addPasskey} onClose={close}>
          <NewPasskey
            onDone={() => {
              close();
              load.again();
            }}
          />
          <Act text={t.common.cancel} action={close} />
        </Dialog>
      )}
    </Card>
  );
}

interface CodesOptions {
  readonly left: number | undefined;
  readonly onMade: () => Promise<void>;
}

function RecoveryCodes({ left, onMade }: CodesOptions) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Card title={t.account.codes}>
      <p>
        {t.account.codesText} {left !== undefined && t.account.codesLeft(left)}
      </p>
      <Act look="" text={t.account.makeCodes} action={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={t.account.codesTitle} onClose={close} isFirm>
          <p>{t.account.codesOnce}</p>
          <Codes />
          <Act
            look=""
            text={t.account.codesKept}
            action={() => {
              close();
              onMade();
            }}
          />
        </Dialog>
      )}
    </Card>
  );
}

function Sessions() {
  const t = useStrings();
  const task = useTask();
  const load = useLoad('sessions', signal => get<Answer<'sessionList'>>('sessions', { signal }));
  return (
    <Card title={t.account.sessions}>
      <Loaded of={load}>
        {({ sessions }) => (
          <Items
            of={sessions.map(({ id, user_agent, current, ip, means, began_at, seen_at }) => ({
              key: id,
              name: (
                <div>
                  <Browser of={user_agent} /> {current && <Badge kind="good">{t.account.thisSession}</Badge>}
                </div>
              ),
              about: (
                <>
                  {ip} · {t.account.means[means]} · {t.account.began} <When at={began_at} /> ·{' '}
                  {t.account.seen} <When at={seen_at} />
                </>
              ),
              acts: !current && (
                <Act
                  text={t.account.end}
                  task={task}
                  action={() => del(`sessions/${id}`)}
                  again={load.again}
                />
              ),
            }))}
          />
        )}
      </Loaded>
      <FaultBox fault={task.fault} />
    </Card>
  );
}
