/** A team: its members and roles, invitations, and what each role may do. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import { del, get, patch, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may, operator, ROLE_NAMES, renew } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { useLoad } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Choice, Field, useTask } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';
import { Invitations } from './invitations.tsx';
import { RightsTable } from './rights-table.tsx';

export function Teams({ match: { team } }: PageProps) {
  const t = useStrings();
  const load = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return (
    <Loaded of={load} title={t.teams.title}>
      {({ teams }) => {
        const own = teams.find(({ id }) => id === team) ?? (team === undefined ? teams[0] : undefined);
        if (!own)
          return (
            <>
              <Title>{t.teams.title}</Title>
              <Empty title={team === undefined ? t.teams.none : t.faults.gone} />
            </>
          );
        return (
          <>
            {teams.length > 1 && (
              <Choice
                label={t.teams.choose}
                value={own.id}
                options={teams.map(one => [one.id, one.name] as const)}
                onChoice={to => go(`/teams/${to}`)}
              />
            )}
            <TeamPage key={own.id} team={own} onChanged={load.again} />
            <NewTeam onMade={load.again} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Admins only. */
function NewTeam({ onMade }: { readonly onMade: () => Promise<void> }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState('');
  if (!may('team.create')) return null;
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t.teams.create}
      </button>
      {isAsking && (
        <Confirm
          title={t.teams.create}
          submit={t.teams.create}
          disabled={name.trim() === ''}
          action={async () => {
            const { team } = await post<Answer<'teamAnswer'>>('teams', { name: name.trim() });
            await onMade();
            go(`/teams/${team.id}`);
          }}
          onClose={() => setAsking(false)}
        >
          <Field label={t.teams.name} value={name} onText={setName} autoComplete="off" />
        </Confirm>
      )}
    </>
  );
}

interface TeamOptions {
  readonly team: Answer<'team'>;
  readonly onChanged: () => Promise<void>;
}

function TeamPage({ team, onChanged }: TeamOptions) {
  const t = useStrings();
  const [isRenaming, setRenaming] = useState(false);
  const [name, setName] = useState(team.name);
  const load = useLoad(`members ${team.id}`, async signal => {
    const [{ members }, invitations] = await Promise.all([
      get<Answer<'memberList'>>(`teams/${team.id}/members`, { signal }),
      may('invitations.read', team.id)
        ? get<Answer<'invitationList'>>(`teams/${team.id}/invitations`, { signal })
        : { invitations: [] },
    ]);
    return { members, invitations: invitations.invitations };
  });
  return (
    <>
      <div class="page-head">
        <Title>{team.name}</Title>
        {may('team.rename', team.id) && (
          <button type="button" class="small" onClick={() => setRenaming(true)}>
            {t.teams.rename}
          </button>
        )}
      </div>
      <Loaded of={load}>
        {({ members, invitations }) => (
          <>
            <Members team={team} members={members} again={load.again} />
            {may('invitations.read', team.id) && (
              <Invitations teamId={team.id} invitations={invitations} again={load.again} />
            )}
          </>
        )}
      </Loaded>
      <RightsTable />
      {may('team.delete') && <Deletion team={team} onDeleted={onChanged} />}
      {isRenaming && (
        <Confirm
          title={t.teams.rename}
          submit={t.common.save}
          disabled={name.trim() === '' || name.trim() === team.name}
          action={async () => {
            await patch(`teams/${team.id}`, { name: name.trim() });
            await Promise.all([onChanged(), renew()]);
          }}
          onClose={() => setRenaming(false)}
        >
          <Field label={t.teams.name} value={name} onText={setName} autoComplete="off" />
        </Confirm>
      )}
    </>
  );
}

/** Admins only. */
function Deletion({
  team,
  onDeleted,
}: {
  readonly team: Answer<'team'>;
  readonly onDeleted: () => Promise<void>;
}) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {t.teams.delete}
      </button>
      {isAsking && (
        <Confirm
          title={t.teams.deleteTitle(team.name)}
          submit={t.teams.delete}
          kind="danger"
          action={async () => {
            await del(`teams/${team.id}`);
            await Promise.all([onDeleted(), renew()]);
            go('/teams', { replace: true });
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t.teams.deleteText}</p>
        </Confirm>
      )}
    </>
  );
}

interface MembersOptions {
  readonly team: Answer<'team'>;
  readonly members: readonly Answer<'member'>[];
  readonly again: () => Promise<void>;
}

function Members({ team, members, again }: MembersOptions) {
  const t = useStrings();
  const task = useTask();
  const own = useStore(operator);
  const [leaving, setLeaving] = useState<Answer<'member'> | null>(null);
  const canChange = may('members', team.id);
  const setRole = (member: Answer<'member'>, role: Role) =>
    task.run(async () => {
      await patch(`teams/${team.id}/members/${member.id}`, { role }).finally(again);
      if (member.id === own?.id) await renew();
    });
  return (
    <>
      <h2>{t.teams.members}</h2>
      {task.fault !== null && <FaultBox fault={task.fault} />}
      {members.length === 0 && <p class="soft">{t.teams.membersNone}</p>}
      <Table
        label={t.teams.members}
        columns={[t.teams.name, t.teams.role, t.teams.since, ...(canChange ? [t.teams.actions] : [])]}
        rows={members.map(member => ({
          key: `${member.id} ${member.role}`,
          cells: [
            <>
              {member.name} {member.id === own?.id && <span class="soft">({t.common.you})</span>}
              <div class="soft small-text">{member.email}</div>
            </>,
            canChange ? (
              <Choice
                isBare
                label={t.teams.roleOf(member.name)}
                value={member.role}
                options={ROLE_NAMES.map(role => [role, t.roles[role]] as const)}
                onChoice={role => setRole(member, role)}
              />
            ) : (
              t.roles[member.role]
            ),
            <When at={member.added_at} />,
            ...(canChange
              ? [
                  <button type="button" class="small danger" onClick={() => setLeaving(member)}>
                    {t.teams.remove}
                    <span class="unseen"> {member.name}</span>
                  </button>,
                ]
              : []),
          ],
        }))}
      />
      {leaving && (
        <Confirm
          title={t.teams.removeTitle(leaving.name)}
          submit={t.teams.remove}
          kind="danger"
          action={async () => {
            await del(`teams/${team.id}/members/${leaving.id}`);
            if (leaving.id === own?.id) await renew();
            await again();
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{t.teams.removeText}</p>
        </Confirm>
      )}
    </>
  );
}
