/** A team: its members and roles, invitations whose link is shown once, and what each role may do. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { type Action, RANKS, RIGHTS, ROLES, type Role } from '../../../protocol/portal/roles.ts';
import { del, get, patch, post } from '../lib/api.ts';
import { type Strings, useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may, operator, renew } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask, LinkOnce } from '../ui/ask.tsx';
import { Choice, type Options, optionsOf } from '../ui/fields.tsx';
import { Act, useTask } from '../ui/form.tsx';
import { Items, Table } from '../ui/lists.tsx';
import { Card, Title } from '../ui/parts.tsx';
import { Empty, FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

const rolesOf = (t: Strings): Options<Role> => ROLES.map(role => [role, t.roles[role]]);

export function Teams({ match: { team } }: PageProps) {
  const t = useStrings();
  const load = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return (
    <Loaded of={load} title={t.common.team}>
      {({ teams }) => {
        const own = teams.find(({ id }) => id === team) ?? (team === undefined ? teams[0] : undefined);
        if (!own)
          return (
            <>
              <Title>{t.common.team}</Title>
              <Empty title={team === undefined ? t.teams.none : t.faults.gone} />
            </>
          );
        return (
          <>
            {teams.length > 1 && (
              <Choice
                label={t.common.team}
                value={own.id}
                options={optionsOf(teams)}
                onChoice={to => go(`/teams/${to}`)}
              />
            )}
            <TeamPage key={own.id} team={own} onChanged={load.again} />
            <Ask
              look=""
              can={may('team.create')}
              text={t.teams.create}
              title={t.teams.create}
              fields={{ name: { label: t.common.name } }}
              isReady={({ name }) => name !== ''}
              action={typed => post<Answer<'teamAnswer'>>('teams', typed)}
              again={load.again}
              onDone={made => go(`/teams/${made.team.id}`)}
            />
          </>
        );
      }}
    </Loaded>
  );
}

interface TeamOptions {
  readonly team: Answer<'team'>;
  readonly onChanged: () => Promise<void>;
}

function TeamPage({ team, onChanged }: TeamOptions) {
  const t = useStrings();
  const canRead = may('invitations.read', team.id);
  const again = () => Promise.all([onChanged(), renew()]);
  const load = useLoad(`members ${team.id}`, async signal => {
    const [{ members }, { invitations }] = await Promise.all([
      get<Answer<'memberList'>>(`teams/${team.id}/members`, { signal }),
      canRead
        ? get<Answer<'invitationList'>>(`teams/${team.id}/invitations`, { signal })
        : { invitations: [] },
    ]);
    return { members, invitations };
  });
  return (
    <>
      <div class="page-head">
        <Title>{team.name}</Title>
        <Ask
          can={may('team.rename', team.id)}
          text={t.teams.rename}
          title={t.teams.rename}
          submit={t.common.save}
          fields={{ name: { label: t.common.name, first: team.name } }}
          isReady={({ name }) => name !== '' && name !== team.name}
          action={typed => patch(`teams/${team.id}`, typed)}
          again={again}
        />
      </div>
      <Loaded of={load}>
        {({ members, invitations }) => (
          <>
            <Members team={team} members={members} again={load.again} />
            {canRead && <Invitations teamId={team.id} invitations={invitations} again={load.again} />}
          </>
        )}
      </Loaded>
      <RightsTable />
      <Ask
        look="danger"
        can={may('team.delete')}
        text={t.teams.delete}
        title={t.teams.deleteTitle(team.name)}
        says={t.teams.deleteText}
        action={() => del(`teams/${team.id}`)}
        again={again}
        onDone={() => go('/teams', { replace: true })}
      />
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
  const canChange = may('members', team.id);
  const pathOf = ({ id }: Answer<'member'>) => `teams/${team.id}/members/${id}`;
  const setRole = (member: Answer<'member'>, role: Role) =>
    task.run(async () => {
      await patch(pathOf(member), { role }).finally(again);
      if (member.id === own?.id) await renew();
    });
  const remove = async (member: Answer<'member'>) => {
    await del(pathOf(member));
    if (member.id === own?.id) await renew();
    await again();
  };
  return (
    <>
      <h2>{t.teams.members}</h2>
      <FaultBox fault={task.fault} />
      {members.length === 0 && <p class="soft">{t.teams.membersNone}</p>}
      <Table
        label={t.teams.members}
        columns={[t.common.name, t.teams.role, t.teams.since, ...(canChange ? [t.common.actions] : [])]}
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
                options={rolesOf(t)}
                onChoice={role => setRole(member, role)}
              />
            ) : (
              t.roles[member.role]
            ),
            <When at={member.added_at} />,
            ...(canChange
              ? [
                  <Ask
                    look="small danger"
                    text={t.common.remove}
                    of={member.name}
                    title={t.teams.removeTitle(member.name)}
                    says={t.teams.removeText}
                    action={() => remove(member)}
                  />,
                ]
              : []),
          ],
        }))}
      />
    </>
  );
}

interface InvitationsOptions {
  readonly teamId: string;
  readonly invitations: Answer<'invitationList'>['invitations'];
  readonly again: () => Promise<void>;
}

function Invitations({ teamId, invitations, again }: InvitationsOptions) {
  const t = useStrings();
  const task = useTask();
  const [made, setMade] = useState<{ url: string; email: string } | null>(null);
  const at = `teams/${teamId}/invitations`;
  const canChange = may('members', teamId);
  return (
    <Card title={t.teams.invitations}>
      {invitations.length === 0 && <p class="soft">{t.teams.invitationsNone}</p>}
      <Items
        of={invitations.map(({ id, email, role, expires_at }) => ({
          key: id,
          name: (
            <>
              {email} <span class="soft">· {t.roles[role]}</span>
            </>
          ),
          about: (
            <>
              {t.teams.expires} <When at={expires_at} />
            </>
          ),
          acts: canChange && (
            <Act
              text={t.teams.withdraw}
              of={email}
              task={task}
              action={() => del(`${at}/${id}`)}
              again={again}
            />
          ),
        }))}
      />
      <FaultBox fault={task.fault} />
      {!canChange && <NoRight action="members" />}
      <Ask
        look="primary"
        can={canChange}
        text={t.teams.invite}
        title={t.teams.invite}
        says={t.teams.inviteText}
        submit={t.teams.inviteSubmit}
        fields={{
          email: { label: t.common.email, kind: 'email' },
          role: { label: t.teams.role, first: 'developer', options: rolesOf(t) },
        }}
        action={async typed => {
          const { link } = await post<Answer<'madeInvitation'>>(at, typed);
          return { url: link.url, email: typed.email };
        }}
        onDone={link => {
          setMade(link);
          again();
        }}
      />
      {made && <LinkOnce url={made.url} says={t.teams.linkText(made.email)} onClose={() => setMade(null)} />}
    </Card>
  );
}

function RightsTable() {
  const t = useStrings();
  return (
    <details class="card">
      <summary class="strong">{t.teams.rights}</summary>
      <Table
        isOfFigures
        label={t.teams.rights}
        columns={[t.teams.right, ...RANKS.map(rank => t.roles[rank])]}
        rows={(Object.keys(RIGHTS) as Action[]).map(action => ({
          key: action,
          cells: [
            t.actions[action],
            ...RANKS.map(rank => (
              <span class={RIGHTS[action][rank] === 'no' ? 'soft' : ''}>
                {t.teams.marks[RIGHTS[action][rank]]}
              </span>
            )),
          ],
        }))}
      />
    </details>
  );
}
