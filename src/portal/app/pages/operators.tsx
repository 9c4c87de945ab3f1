/** All operators, for admins: disable, make admin, sign-in link, end sessions. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { operator } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Field, useTask } from '../ui/form.tsx';
import { LinkDialog } from '../ui/link-dialog.tsx';
import { FaultBox, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, When } from '../ui/text.tsx';

type OperatorRow = Answer<'listedOperator'>;

export function Operators() {
  const t = useStrings();
  const load = useLoad('operators', signal => get<Answer<'operatorList'>>('operators', { signal }));
  const task = useTask();
  const [disabling, setDisabling] = useState<OperatorRow | null>(null);
  const [promoting, setPromoting] = useState<OperatorRow | null>(null);
  const [moving, setMoving] = useState<OperatorRow | null>(null);
  const [made, setMade] = useState<{ url: string; name: string } | null>(null);
  const change = (id: string, fields: object) =>
    task.run(async () => {
      await patch(`operators/${id}`, fields);
      await load.again();
    });
  const link = ({ id, name }: OperatorRow) =>
    task.run(async () => {
      const { link: own } = await post<Answer<'linkAnswer'>>(`operators/${id}/link`);
      setMade({ url: own.url, name });
    });
  const end = ({ id }: OperatorRow) =>
    task.run(async () => {
      await del(`operators/${id}/sessions`);
      await load.again();
    });
  return (
    <>
      {task.fault !== null && <FaultBox fault={task.fault} />}
      <Loaded of={load}>
        {({ operators }) => (
          <Table
            label={t.installation.operators}
            columns={[
              t.installation.operator,
              t.installation.passkeys,
              t.installation.sessions,
              t.installation.lastSeen,
              t.keys.actions,
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
                <div class="actions">
                  {one.disabled_at ? (
                    <Act
                      text={t.installation.enable}
                      of={one}
                      action={() => change(one.id, { disabled: false })}
                    />
                  ) : (
                    <>
                      <Act text={t.installation.link} of={one} action={() => link(one)} />
                      <Act
                        text={one.is_admin ? t.installation.removeAdmin : t.installation.makeAdmin}
                        of={one}
                        action={() =>
                          one.is_admin ? change(one.id, { is_admin: false }) : setPromoting(one)
                        }
                      />
                      {one.id !== operator.get()?.id && (
                        <Act text={t.installation.changeAddress} of={one} action={() => setMoving(one)} />
                      )}
                      {one.sessions > 0 && (
                        <Act text={t.installation.endSessions} of={one} action={() => end(one)} />
                      )}
                      <Act text={t.installation.disable} of={one} isDanger action={() => setDisabling(one)} />
                    </>
                  )}
                </div>,
              ],
            }))}
          />
        )}
      </Loaded>
      {promoting && (
        <Confirm
          title={t.installation.makeAdminTitle(promoting.name)}
          submit={t.installation.makeAdmin}
          action={async () => {
            await patch(`operators/${promoting.id}`, { is_admin: true });
            await load.again();
          }}
          onClose={() => setPromoting(null)}
        >
          <p>
            {promoting.email}, {t.installation.since} <When at={promoting.created_at} />
            {promoting.email_changed_at && (
              <>
                , {t.installation.addressChanged} <When at={promoting.email_changed_at} />
              </>
            )}
          </p>
          <p>{t.installation.makeAdminText}</p>
        </Confirm>
      )}
      {moving && <Address of={moving} onMoved={load.again} onClose={() => setMoving(null)} />}
      {disabling && (
        <Confirm
          title={t.installation.disableTitle(disabling.name)}
          submit={t.installation.disable}
          kind="danger"
          action={async () => {
            await patch(`operators/${disabling.id}`, { disabled: true });
            await load.again();
          }}
          onClose={() => setDisabling(null)}
        >
          <p>{t.installation.disableText}</p>
        </Confirm>
      )}
      {made && (
        <LinkDialog url={made.url} text={t.installation.linkText(made.name)} onClose={() => setMade(null)} />
      )}
    </>
  );
}

interface AddressOptions {
  readonly of: OperatorRow;
  readonly onMoved: () => Promise<unknown>;
  readonly onClose: () => void;
}

function Address({ of, onMoved, onClose }: AddressOptions) {
  const t = useStrings();
  const [email, setEmail] = useState(of.email);
  return (
    <Confirm
      title={t.installation.changeAddressTitle(of.name)}
      submit={t.common.save}
      disabled={email.trim() === of.email}
      action={async () => {
        await patch(`operators/${of.id}`, { email: email.trim() });
        await onMoved();
      }}
      onClose={onClose}
    >
      <Field label={t.installation.address} value={email} onText={setEmail} inputMode="email" />
    </Confirm>
  );
}

interface ActOptions {
  readonly text: string;
  readonly of: OperatorRow;
  readonly action: () => unknown;
  readonly isDanger?: boolean;
}

function Act({ text, of, action, isDanger = false }: ActOptions) {
  return (
    <button type="button" class={isDanger ? 'small danger' : 'small'} onClick={action}>
      {text}
      <span class="unseen"> {of.name}</span>
    </button>
  );
}
