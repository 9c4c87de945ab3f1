/** Open invitations of a team. The link of a new one is shown once, to be sent by its maker. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import { del, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { may, ROLE_NAMES } from '../lib/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { LinkDialog } from '../ui/link-dialog.tsx';
import { FaultBox, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

interface InvitationsOptions {
  readonly teamId: string;
  readonly invitations: Answer<'invitationList'>['invitations'];
  readonly again: () => Promise<void>;
}

export function Invitations({ teamId, invitations, again }: InvitationsOptions) {
  const t = useStrings();
  const task = useTask();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ url: string; email: string } | null>(null);
  const canChange = may('members', teamId);
  return (
    <section class="card">
      <h2>{t.teams.invitations}</h2>
      {invitations.length === 0 && <p class="soft">{t.teams.invitationsNone}</p>}
      <ul class="list">
        {invitations.map(one => (
          <li key={one.id}>
            <div>
              {one.email} <span class="soft">· {t.roles[one.role]}</span>
              <div class="soft small-text">
                {t.teams.expires} <When at={one.expires_at} />
              </div>
            </div>
            {canChange && (
              <button
                type="button"
                class="small"
                onClick={() =>
                  task.run(async () => {
                    await del(`teams/${teamId}/invitations/${one.id}`);
                    await again();
                  })
                }
              >
                {t.teams.withdraw}
                <span class="unseen"> {one.email}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {task.fault !== null && <FaultBox fault={task.fault} />}
      {canChange ? (
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          {t.teams.invite}
        </button>
      ) : (
        <NoRight action="members" />
      )}
      {isMaking && (
        <Invite
          teamId={teamId}
          onMade={async link => {
            setMaking(false);
            setMade(link);
            await again();
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made && (
        <LinkDialog url={made.url} text={t.teams.linkText(made.email)} onClose={() => setMade(null)} />
      )}
    </section>
  );
}

interface InviteOptions {
  readonly teamId: string;
  readonly onMade: (link: { url: string; email: string }) => Promise<void>;
  readonly onClose: () => void;
}

function Invite({ teamId, onMade, onClose }: InviteOptions) {
  const t = useStrings();
  const task = useTask();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  return (
    <Dialog title={t.teams.invite} onClose={onClose}>
      <p>{t.teams.inviteText}</p>
      <Form
        task={task}
        submit={t.teams.inviteSubmit}
        onSubmit={async () => {
          const body = { email: email.trim(), role };
          const { link } = await post<Answer<'madeInvitation'>>(`teams/${teamId}/invitations`, body);
          await onMade({ url: link.url, email: email.trim() });
        }}
        beside={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        <Field label={t.teams.email} value={email} onText={setEmail} inputMode="email" autoComplete="off" />
        <Choice
          label={t.teams.role}
          value={role}
          options={ROLE_NAMES.map(one => [one, t.roles[one]] as const)}
          onChoice={setRole}
        />
      </Form>
    </Dialog>
  );
}
