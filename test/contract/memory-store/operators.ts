/** Operators, their teams, links, passkeys and sessions. */
import {
  FIRST_TEAM,
  type LinkRecord,
  type OperatorRecord,
  type OperatorStore,
  type Redeemed,
  type Redeeming,
  type SessionRecord,
  type TeamMembership,
} from '../../../src/ports/store.ts';
import { by, type Data, type Session, type Sync } from './data.ts';

const named = by<{ name: string; id: string }>(
  row => row.name,
  row => row.id,
);
const oldest = by<{ createdAt: number; id: string }>(
  row => row.createdAt,
  row => row.id,
);
const isActiveAdmin = ({ isAdmin, disabledAt }: OperatorRecord) => isAdmin && disabledAt === null;
const sessionRecord = ({ hash: _, secretHash: __, ...session }: Session): SessionRecord => session;

function byEmail({ operators }: Data, email: string): OperatorRecord | null {
  return operators.find(email.toLowerCase()) ?? null;
}

function teamsOf({ members, teams }: Data, operatorId: string): TeamMembership[] {
  return members
    .where(row => row.operatorId === operatorId)
    .flatMap(({ teamId, role }) => {
      const team = teams.get(teamId);
      return team ? [{ ...team, role }] : [];
    })
    .sort(named);
}

function isLastOwner({ members, operators }: Data, teamId: string, operatorId: string): boolean {
  const owners = members.where(row => row.teamId === teamId && row.role === 'owner');
  const others = owners.filter(
    row => row.operatorId !== operatorId && operators.get(row.operatorId)?.disabledAt === null,
  );
  return owners.some(row => row.operatorId === operatorId) && others.length === 0;
}

function open(data: Data, link: LinkRecord, { signedIn, name, now, newId, ...sent }: Redeeming): Redeemed {
  const { operators, members } = data;
  const add = (operatorId: string) => {
    const { teamId, role } = link;
    if (teamId !== null && role !== null && !members.get(teamId, operatorId))
      members.insert({ teamId, operatorId, role, addedAt: now });
  };
  if (link.operatorId !== null) {
    const operator = operators.get(link.operatorId);
    if (operator?.disabledAt !== null) return { outcome: 'gone' };
    return { outcome: 'ok', operator, isNew: false, startsSession: signedIn !== operator.id, link };
  }
  const email = link.email ?? sent.email;
  const owner = email === null ? null : byEmail(data, email);
  if (owner && link.teamId === null) return { outcome: 'email_taken' };
  if (owner) {
    if (signedIn !== owner.id) return { outcome: 'sign_in_first' };
    add(owner.id);
    return { outcome: 'ok', operator: owner, isNew: false, startsSession: false, link };
  }
  if (email === null) return { outcome: 'email_missing' };
  if (name === null) return { outcome: 'name_missing' };
  const fresh = {
    ...{ language: null, theme: null, createdAt: now, disabledAt: null },
    ...{ invitedBy: link.madeBy, emailChangedAt: null },
  };
  const operator = { id: newId, email, name, isAdmin: link.makesAdmin, ...fresh };
  operators.insert(operator);
  add(operator.id);
  return { outcome: 'ok', operator, isNew: true, startsSession: true, link };
}

export function operatorVerbs(data: Data): Sync<OperatorStore> {
  const { operators, teams, members, passkeys, recoveryCodes, ceremonies, operatorSessions } = data;
  const links = data.operatorLinks;
  const linkBy = (hash: string, now: number) => {
    const found = links.find(hash);
    if (!found || found.expiresAt <= now) return null;
    const { hash: _, ...link } = found;
    return link;
  };
  const isOpen = (now: number, idleSince: number) => (row: Session) =>
    row.endsAt > now && row.seenAt > idleSince;

  return {
    listOperators: () =>
      operators
        .where()
        .sort(oldest)
        .map(operator => {
          const sessions = operatorSessions.where(row => row.operatorId === operator.id);
          return {
            ...operator,
            passkeys: passkeys.where(row => row.operatorId === operator.id).length,
            sessions: sessions.length,
            lastSeenAt: sessions.length === 0 ? null : Math.max(...sessions.map(row => row.seenAt)),
          };
        }),
    findOperator: id => operators.get(id) ?? null,
    findOperatorByEmail: email => byEmail(data, email),
    updateOperator(id, change) {
      const before = operators.get(id);
      if (!before) return null;
      const after = { ...before, ...change };
      const owner = byEmail(data, after.email);
      if (owner && owner.id !== id) return 'email_taken';
      const others = operators.where(row => row.id !== id && isActiveAdmin(row));
      if (isActiveAdmin(before) && !isActiveAdmin(after) && others.length === 0) return 'last_admin';
      operators.set(after);
      if (after.disabledAt !== null) {
        const isTheirs = (row: { operatorId: string | null }) => row.operatorId === id;
        operatorSessions.deleteWhere(isTheirs);
        links.deleteWhere(isTheirs);
      }
      if ((before.isAdmin && !after.isAdmin) || after.disabledAt !== null)
        links.deleteWhere(row => row.madeBy === id);
      return after;
    },
    teamsOf: id => teamsOf(data, id),

    createLink(link) {
      const maker = operators.get(link.madeBy);
      if (link.teamId !== null && maker) {
        const isOwner = members.get(link.teamId, maker.id)?.role === 'owner';
        if (maker.disabledAt !== null || !(maker.isAdmin || isOwner)) return false;
      }
      links.deleteWhere(
        row =>
          (link.operatorId !== null && row.operatorId === link.operatorId) ||
          (link.teamId !== null &&
            link.email !== null &&
            row.teamId === link.teamId &&
            row.email?.toLowerCase() === link.email.toLowerCase()),
      );
      links.insert(link);
      return true;
    },
    listInvitations: (teamId, now) =>
      links
        .where(row => row.teamId === teamId && row.expiresAt > now)
        .sort(oldest)
        .map(({ hash: _, ...link }) => link),
    withdrawInvitation: (teamId, id) =>
      links.deleteWhere(row => row.id === id && row.teamId === teamId) === 1,
    findLink: linkBy,
    redeemLink(redeeming) {
      const link = linkBy(redeeming.hash, redeeming.now);
      if (!link) return { outcome: 'gone' };
      const opened = open(data, link, redeeming);
      if (opened.outcome === 'ok') links.deleteWhere(row => row.id === link.id);
      return opened;
    },

    listPasskeys: operatorId => passkeys.where(row => row.operatorId === operatorId).sort(oldest),
    findPasskey: credentialId => passkeys.find(credentialId) ?? null,
    addPasskey(passkey, maximum) {
      const { operatorId, credentialId } = passkey;
      const isFull = passkeys.where(row => row.operatorId === operatorId).length >= maximum;
      if (isFull || passkeys.find(credentialId) || operators.get(operatorId)?.disabledAt !== null)
        return false;
      passkeys.insert(passkey);
      return true;
    },
    labelPasskey(operatorId, id, label) {
      const passkey = passkeys.get(id);
      if (passkey?.operatorId !== operatorId) return false;
      passkeys.set({ ...passkey, label });
      return true;
    },
    deletePasskey: (operatorId, id) =>
      passkeys.deleteWhere(row => row.id === id && row.operatorId === operatorId) === 1,
    usePasskey(id, counter, at) {
      const passkey = passkeys.get(id);
      if (!passkey || !(passkey.counter < counter || (passkey.counter === 0 && counter === 0))) return false;
      passkeys.set({ ...passkey, counter, lastUsedAt: at });
      return true;
    },
    useCeremony(ceremony) {
      if (ceremonies.get(ceremony.browser)) return false;
      ceremonies.insert(ceremony);
      return true;
    },

    setRecoveryCodes(operatorId, hashes, createdAt) {
      recoveryCodes.deleteWhere(row => row.operatorId === operatorId);
      for (const hash of hashes) recoveryCodes.insert({ hash, operatorId, createdAt });
    },
    countRecoveryCodes: operatorId => recoveryCodes.where(row => row.operatorId === operatorId).length,
    useRecoveryCode: (operatorId, hash) =>
      recoveryCodes.deleteWhere(row => row.hash === hash && row.operatorId === operatorId) === 1,

    startSession(session, maximum) {
      if (operators.get(session.operatorId)?.disabledAt !== null) return false;
      const others = operatorSessions
        .where(row => row.operatorId === session.operatorId)
        .sort((a, b) => b.beganAt - a.beganAt);
      for (const old of others.slice(maximum - 1)) operatorSessions.delete(old);
      operatorSessions.insert(session);
      return true;
    },
    findSession(hash, secretHash, now, idleSince) {
      const found = operatorSessions.find(hash);
      const operator = found && operators.get(found.operatorId);
      if (!found || !operator || operator.disabledAt !== null) return null;
      if ((secretHash !== null && found.secretHash !== secretHash) || !isOpen(now, idleSince)(found))
        return null;
      return { operator, session: sessionRecord(found), teams: teamsOf(data, operator.id) };
    },
    touchSession(id, at) {
      const found = operatorSessions.get(id);
      if (found && found.seenAt < at) operatorSessions.set({ ...found, seenAt: at });
    },
    stepUp(id, at) {
      const found = operatorSessions.get(id);
      if (found) operatorSessions.set({ ...found, steppedUpAt: at, seenAt: at });
    },
    listSessions: (operatorId, now, idleSince) =>
      operatorSessions
        .where(row => row.operatorId === operatorId && isOpen(now, idleSince)(row))
        .sort((a, b) => b.beganAt - a.beganAt || (a.id < b.id ? -1 : 1))
        .map(sessionRecord),
    endSessions: (operatorId, id) =>
      operatorSessions.deleteWhere(row => row.operatorId === operatorId && (id === null || row.id === id)),

    listTeams: operatorId =>
      teams
        .where(team => operatorId === null || members.get(team.id, operatorId) !== undefined)
        .sort(named)
        .map(team => ({
          ...team,
          members: members.where(row => row.teamId === team.id).length,
          apps: data.apps.where(app => app.teamId === team.id).length,
        })),
    findTeam: id => teams.get(id) ?? null,
    createTeam: team => teams.insert(team),
    renameTeam(id, name) {
      const team = teams.get(id);
      if (!team) return null;
      teams.set({ ...team, name });
      return { ...team, name };
    },
    deleteTeam(id) {
      if (id === FIRST_TEAM) return 'first_team';
      const team = teams.get(id);
      if (!team) return 'no_such_team';
      if (data.apps.where(app => app.teamId === id).length > 0) return 'has_apps';
      links.deleteWhere(row => row.teamId === id);
      members.deleteWhere(row => row.teamId === id);
      teams.delete(team);
      return 'deleted';
    },
    listMembers: teamId =>
      members
        .where(row => row.teamId === teamId)
        .map(({ operatorId, role, addedAt }) => ({
          operator: operators.get(operatorId) as OperatorRecord,
          role,
          addedAt,
        }))
        .sort((a, b) => named(a.operator, b.operator)),
    setMember(teamId, operatorId, role, at) {
      if (role !== 'owner') {
        if (isLastOwner(data, teamId, operatorId)) return 'last_owner';
        links.deleteWhere(row => row.madeBy === operatorId && row.teamId === teamId);
      }
      if (!teams.get(teamId) || !operators.get(operatorId)) return 'no_such_member';
      const addedAt = members.get(teamId, operatorId)?.addedAt ?? at;
      members.set({ teamId, operatorId, role, addedAt });
      return 'ok';
    },
    removeMember(teamId, operatorId) {
      if (isLastOwner(data, teamId, operatorId)) return 'last_owner';
      links.deleteWhere(row => row.madeBy === operatorId && row.teamId === teamId);
      const member = members.get(teamId, operatorId);
      if (!member) return 'no_such_member';
      members.delete(member);
      return 'ok';
    },

    deleteEnded(now, idleSince, limit) {
      const isOver = isOpen(now, idleSince);
      let deleted = operatorSessions.deleteWhere(row => !isOver(row), limit);
      deleted += links.deleteWhere(row => row.expiresAt <= now, limit - deleted);
      return deleted + ceremonies.deleteWhere(row => row.expiresAt <= now, limit - deleted);
    },
  };
}
