/** `team`: who owns apps. Members are invited in the portal. Held by test/cli/operators.test.ts. */

import { byCommand } from '../../domain/access/audit.ts';
import { allTeams, createTeam } from '../../domain/access/teams.ts';
import { newId } from '../../domain/ids.ts';
import { listedTeamView, teamView } from '../../operations/views.ts';
import { systemUser } from '../../service/system-user.ts';
import { type Command, required } from '../command.ts';
import { count, listing } from '../table.ts';
import { harmless, when } from '../text.ts';
import { withOperators } from '../with-operators.ts';

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'team list',
    usage: '',
    about: 'Lists the teams, with members and apps. Apps that commands create belong to the first team.',
    examples: ['team list'],
    run: invocation =>
      withOperators(invocation, async deps => {
        const teams = await allTeams(deps);
        const rows = teams.map(({ id, name, members, apps, createdAt }) => [
          id,
          name,
          count(members),
          count(apps),
          createdAt === 0 ? '' : when(createdAt),
        ]);
        return {
          json: { teams: teams.map(listedTeamView) },
          text: listing(['ID', 'NAME', 'MEMBERS', 'APPS', 'CREATED'], rows, invocation.paint),
        };
      }),
  },
  {
    name: 'team create',
    usage: '--name N',
    about: 'Creates a team without members. An admin invites its first owner in the portal.',
    options: { name: { type: 'string', value: 'N', meaning: 'Name of the team, 1 to 100 characters.' } },
    examples: ['team create --name "Shop"'],
    run: invocation =>
      withOperators(invocation, async deps => {
        const name = required(invocation, 'name');
        const id = newId(deps.random, 'team');
        const action = { action: 'team.create', target: id, teamId: id };
        const team = await byCommand(deps, systemUser(), action, recording =>
          createTeam(recording, name, id),
        );
        return { json: { team: teamView(team) }, text: `${team.id}  ${harmless(team.name)}` };
      }),
  },
];
