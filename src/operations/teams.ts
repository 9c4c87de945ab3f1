/** Teams, their members and invitations. */

import { invitationsOf, invite, withdrawInvitation } from '../domain/access/invitations.ts';
import { takeInvitation } from '../domain/access/limits.ts';
import {
  changeRole,
  createTeam,
  deleteTeam,
  membersOf,
  renameTeam,
  setMember,
  teamsFor,
} from '../domain/access/teams.ts';
import type { LinkRecord, MemberRecord } from '../ports/store/operators.ts';
import { email, fields } from '../protocol/fields.ts';
import * as answers from '../protocol/portal/answers/teams.ts';
import { name, role } from '../protocol/portal/fields.ts';
import type { Action, Role } from '../protocol/portal/roles.ts';
import { viewOf } from '../protocol/view.ts';
import { type Operation, operations } from './table/operation.ts';
import { linkOf, listedTeamView, teamView } from './views.ts';

const ofTeam = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'team', actions: [action] }) as const;

const member = viewOf(answers.member);
const memberOf = ({ operator, role, addedAt }: MemberRecord) => member({ ...operator, role, addedAt });

const invitation = viewOf(answers.invitation);
/** Without the link, which was shown once. An invitation has an address and a role. */
const invitationOf = ({ email, role, ...link }: LinkRecord) =>
  invitation({ ...link, email: email as string, role: role as Role });

const operation = operations('Teams');
const { shared } = operation;

export const teamOperations: readonly Operation[] = [
  shared({
    id: 'listTeams',
    summary: 'List teams',
    text: 'Your teams; for admins all teams.',
    at: 'GET /teams',
    needs: { who: 'right', scope: 'listing', actions: ['read'] },
    answer: { text: 'The teams, by name.', schema: answers.teamList },
    run: async ({ deps, signedIn }) => ({ teams: (await teamsFor(deps, signedIn)).map(listedTeamView) }),
  }).asCommand({
    name: 'team list',
    about: 'Lists the teams, with members and apps. Apps that commands create belong to the first team.',
    examples: ['team list'],
    text: {
      columns: {
        ...({ ID: 'id', NAME: 'name', MEMBERS: 'members', APPS: 'apps' } as const),
        // The first team is older than any installation.
        CREATED: ({ created_at }) => (Date.parse(created_at) === 0 ? null : { at: created_at }),
      },
      none: 'no teams',
    },
  }),
  shared({
    id: 'createTeam',
    summary: 'Create a team',
    at: 'POST /teams',
    needs: { who: 'right', scope: 'installation', actions: ['team.create'] },
    body: fields({ name }),
    answer: { status: 201, text: 'The team.', schema: answers.teamAnswer },
    audit: { action: 'team.create', target: body => body.name, creates: 'team' },
    run: async ({ deps, newId, body }) => ({ team: teamView(await createTeam(deps, body.name, newId)) }),
  }).asCommand({
    name: 'team create',
    about: 'Creates a team without members. An admin invites its first owner in the portal.',
    options: { name: { meaning: 'Name of the team, 1 to 100 characters.' } },
    examples: ['team create --name "Shop"'],
    text: ({ team }) => `${team.id}  ${team.name}`,
  }),
  operation({
    id: 'getTeam',
    summary: 'Get a team',
    at: 'GET /teams/:team',
    needs: ofTeam('read'),
    answer: { text: 'The team.', schema: answers.teamAnswer },
    run: async ({ team }) => ({ team: teamView(team) }),
  }),
  operation({
    id: 'renameTeam',
    summary: 'Rename a team',
    at: 'PATCH /teams/:team',
    needs: ofTeam('team.rename'),
    body: fields({ name }),
    answer: { text: 'The team.', schema: answers.teamAnswer },
    audit: { action: 'team.rename' },
    run: async ({ deps, team, body }) => ({ team: teamView(await renameTeam(deps, team.id, body.name)) }),
  }),
  operation({
    id: 'deleteTeam',
    summary: 'Delete a team without apps',
    at: 'DELETE /teams/:team',
    needs: ofTeam('team.delete'),
    answer: { text: 'Deleted.' },
    audit: { action: 'team.delete' },
    run: async ({ deps, team }) => {
      await deleteTeam(deps, team.id);
    },
  }),
  operation({
    id: 'listMembers',
    summary: 'List the members of a team',
    at: 'GET /teams/:team/members',
    needs: ofTeam('read'),
    answer: { text: 'The members, by name.', schema: answers.memberList },
    run: async ({ deps, team }) => ({ members: (await membersOf(deps, team.id)).map(memberOf) }),
  }),
  operation({
    id: 'changeRole',
    summary: 'Change a member’s role',
    at: 'PATCH /teams/:team/members/:operator',
    needs: ofTeam('members'),
    body: fields({ role }),
    answer: { text: 'The member.', schema: answers.memberAnswer },
    errors: ['last_owner'],
    audit: { action: 'member.role' },
    run: async ({ deps, team, params, body }) => {
      const member = await changeRole(deps, team.id, params.operator ?? '', body.role);
      return { member: memberOf(member) };
    },
  }),
  operation({
    id: 'removeMember',
    summary: 'Remove a member',
    at: 'DELETE /teams/:team/members/:operator',
    needs: ofTeam('members'),
    answer: { text: 'Removed.' },
    errors: ['last_owner'],
    audit: { action: 'member.remove' },
    run: async ({ deps, team, params }) => {
      await setMember(deps, team.id, params.operator ?? '', null);
    },
  }),
  operation({
    id: 'listInvitations',
    summary: 'List open invitations',
    at: 'GET /teams/:team/invitations',
    needs: ofTeam('invitations.read'),
    answer: { text: 'The invitations, oldest first.', schema: answers.invitationList },
    run: async ({ deps, team }) => ({ invitations: (await invitationsOf(deps, team.id)).map(invitationOf) }),
  }),
  operation({
    id: 'invite',
    summary: 'Invite somebody to a team',
    text:
      'Send them the link: only this answer has it. It works once, for seven days, and replaces an open invitation ' +
      'of the same address. A team makes at most 20 a day.',
    at: 'POST /teams/:team/invitations',
    needs: ofTeam('members'),
    body: fields({ email, role }),
    answer: { status: 201, text: 'The invitation and its link.', schema: answers.madeInvitation },
    errors: ['rate_limited'],
    audit: { action: 'invitation.create', target: body => body.email },
    limits: [(deps, { team }) => takeInvitation(deps, team.id)],
    run: async ({ deps, signedIn, team, body }) => {
      const made = await invite(deps, signedIn, team.id, body);
      return { invitation: invitationOf(made.record), link: linkOf(made) };
    },
  }),
  operation({
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    at: 'DELETE /teams/:team/invitations/:invitation',
    needs: ofTeam('members'),
    answer: { text: 'Withdrawn.' },
    audit: { action: 'invitation.withdraw' },
    run: async ({ deps, team, params }) => {
      await withdrawInvitation(deps, team.id, params.invitation ?? '');
    },
  }),
];
