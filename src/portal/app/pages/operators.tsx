/** All operators, for admins: disable, make admin, sign-in link, end sessions. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { operator } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask, LinkOnce } from '../ui/ask.tsx';
import { Act, useTask } from '../ui/form.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge } from '../ui/parts.tsx';
import { FaultBox, Loaded } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

type OperatorRow = Answer<'listedOperator'>;

export function Operators() {
  const t = useStrings();
  const load = useLoad('operators', signal => get<Answer<'operatorList'>>('operators', { signal }));
  const task = useTask();
  const [made, setMade] = useState<{ url: string; name: string } | null>(null);
  const actionsOf = (one: OperatorRow) => {
    const at = `operators/${one.id}`;
    const change = (fields: object) => patch(at, fields);
    const act = (text: string, action: () => Promise<unknown>) => (
      <Act text={text} of={one.name} task={task} action={action} again={load.again} />
    );
    if (one.disabled_at) return act(t.installation.enable, () => change({ disabled: false }));
    return (
      <>
        {act(t.installation.link, async () => {
          const { link } = await post<Answer<'linkAnswer'>>(`${at}/link`);
          setMade({ url: link.url, name: one.name });
        })}
        {one.is_admin ? (
          act(t.installation.removeAdmin, () => change({ is_admin: false }))
        ) : (
          <Ask
            text={t.installation.makeAdmin}
            of={one.name}
            title={t.installation.makeAdminTitle(one.name)}
            action={() => change({ is_admin: true })}
            again={load.again}
          >
            <p>
              {one.email}, {t.installation.since} <When at={one.created_at} />
              {one.email_changed_at && (
                <>
                  , {t.installation.addressChanged} <When at={one.email_changed_at} />
                </>
              )}
            </p>
            <p>{t.installation.makeAdminText}</p>
          </Ask>
        )}
        <Ask
          can={one.id !== operator.get()?.id}
          text={t.installation.changeAddress}
          of={one.name}
          title={t.installation.changeAddressTitle(one.name)}
          submit={t.common.save}
          fields={{ email: { label: t.common.email, kind: 'email', first: one.email } }}
          isReady={({ email }) => email !== one.email}
          action={typed => change(typed)}
          again={load.again}
        />
        {one.sessions > 0 && act(t.installation.endSessions, () => del(`${at}/sessions`))}
        <Ask
          look="small danger"
          text={t.installation.disable}
          of={one.name}
          title={t.installation.disableTitle(one.name)}
          says={t.installation.disableText}
          action={() => change({ disabled: true })}
          again={load.again}
        />
      </>
    );
  };
  return (
    <>
      <FaultBox fault={task.fault} />
      <Loaded of={load}>
        {({ operators }) => (
          <Table
            label={t.installation.operators}
            columns={[
              t.installation.operator,
              t.account.passkeys,
              t.account.sessions,
              t.installation.lastSeen,
              t.common.actions,
            ]}
            rows={operators.map(one => ({
              key: one.id,
              isOff: one.disabled_at !== null,
              cells: [
                <>
                  {one.name} {one.is_admin && <Badge>{t.roles.admin}</Badge>}{' '}
                  {one.disabled_at && <Badge kind="bad">{t.installation.disabled}</Badge>}
                  <div class="soft small-text">{one.email}</div>
                </>,
                String(one.passkeys),
                String(one.sessions),
                <When at={one.last_seen_at} none={t.common.never} />,
                <div class="actions">{actionsOf(one)}</div>,
              ],
            }))}
          />
        )}
      </Loaded>
      {made && (
        <LinkOnce url={made.url} says={t.installation.linkText(made.name)} onClose={() => setMade(null)} />
      )}
    </>
  );
}
