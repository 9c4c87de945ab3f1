/** Answers about teams, members and invitations. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, id, text, time } from '../../answer-parts.ts';
import { oneTimeLink, role } from './operators.ts';

const own = {
  id: id('team', 'The ID of the team.'),
  name: text('The team’s name.', 'Shop'),
  created_at: time('When it was created.'),
};

export const team = v.strictObject(own);
export const teamAnswer = v.strictObject({ team });
export const listedTeam = v.strictObject({
  ...own,
  members: count('How many members it has.'),
  apps: count('How many apps it owns.'),
});
export const teamList = v.strictObject({ teams: v.array(listedTeam) });

export const member = v.strictObject({
  id: id('opr', 'The ID of the operator.'),
  name: text('The operator’s name.', 'Ada Lovelace'),
  email: text('The operator’s email address.', 'ada@example.com'),
  role,
  added_at: time('When they joined the team.'),
});
export const memberAnswer = v.strictObject({ member });
export const memberList = v.strictObject({ members: v.array(member) });

export const invitation = v.strictObject({
  id: id('lnk', 'The ID of the invitation.'),
  email: text('Whom it invites.', 'grace@example.com'),
  role,
  expires_at: time('When its link stops working.'),
});
export const invitationList = v.strictObject({ invitations: v.array(invitation) });
/** The only answer with the link. */
export const madeInvitation = v.strictObject({
  invitation,
  link: oneTimeLink,
});
