/** Teams, their members and invitations. */

import { invitationsOf, invite, withdrawInvitation } from '../../../domain/operators/invitations.ts';
import { takeInvitation } from '../../../domain/operators/limits.ts';
import {
  changeRole,
  createTeam,
  deleteTeam,
  membersOf,
  removeMember,
  renameTeam,
  teamsFor,
} from '../../../domain/operators/teams.ts';
import { email, fields } from '../../../protocol/fields.ts';
import { listedTeamView, teamView } from '../../../protocol/operating.ts';
import * as answers from '../../../protocol/portal/answers/teams.ts';
import { name, role } from '../../../protocol/portal/fields.ts';
import type { Action } from '../../../protocol/portal/roles.ts';
import { created, done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';
import { invitationView, linkView, memberView } from '../views.ts';

const ofTeam = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'team', actions: [action] }) as const;

export const teamRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/teams',
    needs: { who: 'right', scope: 'listing', actions: ['read'] },
    schema: {},
    describe: {
      id: 'listTeams',
      tag: 'Teams',
      summary: 'List teams',
      text: 'Your teams; for admins all teams.',
      answers: { 200: { text: 'The teams, by name.', schema: answers.teamList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const teams = await teamsFor(deps, signedIn);
      return ok({ teams: teams.map(listedTeamView) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/teams',
    needs: { who: 'right', scope: 'installation', actions: ['team.create'] },
    schema: { body: fields({ name }) },
    describe: {
      id: 'createTeam',
      tag: 'Teams',
      summary: 'Create a team',
      answers: { 201: { text: 'The team.', schema: answers.teamAnswer } },
    },
    audit: { action: 'team.create', target: body => body.name, creates: 'team' },
    limits: [],
    handler: async ({ deps, newId, body }) =>
      created({ team: teamView(await createTeam(deps, body.name, newId)) }),
  }),
  portalRoute({
    method: 'GET',
    path: '/teams/:team',
    needs: ofTeam('read'),
    schema: {},
    describe: {
      id: 'getTeam',
      tag: 'Teams',
      summary: 'Get a team',
      answers: { 200: { text: 'The team.', schema: answers.teamAnswer } },
    },
    audit: null,
    limits: [],
    handler: async ({ team }) => ok({ team: teamView(team) }),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/teams/:team',
    needs: ofTeam('team.rename'),
    schema: { body: fields({ name }) },
    describe: {
      id: 'renameTeam',
      tag: 'Teams',
      summary: 'Rename a team',
      answers: { 200: { text: 'The team.', schema: answers.teamAnswer } },
    },
    audit: { action: 'team.rename' },
    limits: [],
    handler: async ({ deps, team, body }) =>
      ok({ team: teamView(await renameTeam(deps, team.id, body.name)) }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/teams/:team',
    needs: ofTeam('team.delete'),
    schema: {},
    describe: {
      id: 'deleteTeam',
      tag: 'Teams',
      summary: 'Delete a team without apps',
      answers: { 204: { text: 'Deleted.', schema: null } },
    },
    audit: { action: 'team.delete' },
    limits: [],
    handler: async ({ deps, team }) => {
      await deleteTeam(deps, team.id);
      return done;
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/teams/:team/members',
    needs: ofTeam('read'),
    schema: {},
    describe: {
      id: 'listMembers',
      tag: 'Teams',
      summary: 'List the members of a team',
      answers: { 200: { text: 'The members, by name.', schema: answers.memberList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, team }) => {
      const members = await membersOf(deps, team.id);
      return ok({ members: members.map(memberView) });
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/teams/:team/members/:operator',
    needs: ofTeam('members'),
    schema: { body: fields({ role }) },
    describe: {
      id: 'changeRole',
      tag: 'Teams',
      summary: 'Change a member’s role',
      answers: { 200: { text: 'The member.', schema: answers.memberAnswer } },
      errors: ['last_owner'],
    },
    audit: { action: 'member.role' },
    limits: [],
    handler: async ({ deps, team, params, body }) => {
      const member = await changeRole(deps, team.id, params.operator ?? '', body.role);
      return ok({ member: memberView(member) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/teams/:team/members/:operator',
    needs: ofTeam('members'),
    schema: {},
    describe: {
      id: 'removeMember',
      tag: 'Teams',
      summary: 'Remove a member',
      answers: { 204: { text: 'Removed.', schema: null } },
      errors: ['last_owner'],
    },
    audit: { action: 'member.remove' },
    limits: [],
    handler: async ({ deps, team, params }) => {
      await removeMember(deps, team.id, params.operator ?? '');
      return done;
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/teams/:team/invitations',
    needs: ofTeam('invitations.read'),
    schema: {},
    describe: {
      id: 'listInvitations',
      tag: 'Teams',
      summary: 'List open invitations',
      answers: { 200: { text: 'The invitations, oldest first.', schema: answers.invitationList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, team }) => {
      const invitations = await invitationsOf(deps, team.id);
      return ok({ invitations: invitations.map(invitationView) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/teams/:team/invitations',
    needs: ofTeam('members'),
    schema: { body: fields({ email, role }) },
    describe: {
      id: 'invite',
      tag: 'Teams',
      summary: 'Invite somebody to a team',
      text:
        'Send them the link: only this answer has it. It works once, for seven days, and replaces an open invitation ' +
        'of the same address. A team makes at most 20 a day.',
      answers: { 201: { text: 'The invitation and its link.', schema: answers.madeInvitation } },
      errors: ['rate_limited'],
    },
    audit: { action: 'invitation.create', target: body => body.email },
    limits: [(deps, { team }) => takeInvitation(deps, team.id)],
    handler: async ({ deps, signedIn, team, body }) => {
      const made = await invite(deps, signedIn, team.id, body);
      return created({ invitation: invitationView(made.record), link: linkView(made) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/teams/:team/invitations/:invitation',
    needs: ofTeam('members'),
    schema: {},
    describe: {
      id: 'withdrawInvitation',
      tag: 'Teams',
      summary: 'Withdraw an invitation',
      answers: { 204: { text: 'Withdrawn.', schema: null } },
    },
    audit: { action: 'invitation.withdraw' },
    limits: [],
    handler: async ({ deps, team, params }) => {
      await withdrawInvitation(deps, team.id, params.invitation ?? '');
      return done;
    },
  }),
];
