/**
 * Operators of the portal, their teams, and how they sign in. Secrets never come here, only their hashes. Every change
 * takes effect with the next call of any process.
 */
import type { Role } from '../../protocol/portal/roles.ts';
import type { Recording } from './audit.ts';

/** Owns the apps from before there were teams, and those that commands create. It is never deleted. */
export const FIRST_TEAM = 'team_000000000000000000000000';

export interface OperatorRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  /** Null: the browser's. */
  readonly language: string | null;
  /** Null: the browser's. */
  readonly theme: 'light' | 'dark' | null;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  /** Who made the link that created the operator: an id, or `command line`. Null: from before this was noted. */
  readonly invitedBy: string | null;
  readonly emailChangedAt: number | null;
}

type OperatorChange = Partial<
  Pick<OperatorRecord, 'email' | 'emailChangedAt' | 'name' | 'isAdmin' | 'language' | 'theme' | 'disabledAt'>
>;

/** For the list of operators. */
export interface ListedOperator extends OperatorRecord {
  readonly passkeys: number;
  readonly recoveryCodes: number;
  readonly sessions: number;
  readonly lastSeenAt: number | null;
}

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/** For the list of teams. */
export interface ListedTeam extends TeamRecord {
  readonly members: number;
  readonly apps: number;
  /** Of the operator whose teams these are; null: of nobody. */
  readonly role: Role | null;
}

export interface TeamMembership extends TeamRecord {
  readonly role: Role;
}

export interface MemberRecord {
  readonly operator: OperatorRecord;
  readonly role: Role;
  readonly addedAt: number;
}

export interface PasskeyRecord {
  readonly id: string;
  readonly operatorId: string;
  /** As WebAuthn spells it, base64url. */
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export type CeremonyPurpose = 'register' | 'sign-in' | 'step-up';

/** A challenge that a browser has to answer with a passkey. It is stored only once it was used. */
export interface CeremonyRecord {
  /** Hash of the cookie of the browser, which has one ceremony at a time. */
  readonly browser: string;
  readonly challenge: string;
  readonly purpose: CeremonyPurpose;
  /** Null: whoever signs in. */
  readonly operatorId: string | null;
  readonly expiresAt: number;
}

/** How a session began. */
export type SessionMeans = 'link' | 'passkey' | 'recovery';

export interface SessionRecord {
  readonly id: string;
  readonly operatorId: string;
  readonly means: SessionMeans;
  readonly beganAt: number;
  /** The last proof with a passkey, or the beginning. */
  readonly steppedUpAt: number;
  readonly seenAt: number;
  readonly endsAt: number;
  readonly ip: string;
  readonly userAgent: string;
}

export interface NewSession extends SessionRecord {
  /** Hash of the cookie. */
  readonly hash: string;
  /** Hash of the header. */
  readonly secretHash: string;
}

/** Who sends a request of the portal. */
export interface SignedInOperator {
  readonly operator: OperatorRecord;
  readonly session: SessionRecord;
  /** By name. */
  readonly teams: readonly TeamMembership[];
}

export interface LinkRecord {
  readonly id: string;
  /** Null: whoever opens it says their own. */
  readonly email: string | null;
  /** Whom it signs in; null: it creates an operator, or adds a member. */
  readonly operatorId: string | null;
  /** The team that it invites to; null: not an invitation. */
  readonly teamId: string | null;
  /** The role in that team. */
  readonly role: Role | null;
  readonly makesAdmin: boolean;
  /** Id of an operator, or `command line`. */
  readonly madeBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What the person who opens a link brings. */
export interface Redeeming {
  /** Hash of the link's token. */
  readonly hash: string;
  readonly now: number;
  /** The operator whose session the request has. */
  readonly signedIn: string | null;
  /** For a new operator. */
  readonly newId: string;
  readonly name: string | null;
  readonly email: string | null;
}

export type Redeemed =
  | {
      readonly outcome: 'ok';
      readonly operator: OperatorRecord;
      readonly isNew: boolean;
      /** False: the request's session goes on. */
      readonly startsSession: boolean;
      readonly link: LinkRecord;
    }
  /** Unknown, ended, withdrawn, used, or of a disabled operator. */
  | { readonly outcome: 'gone' }
  /** The link is not used up by these. */
  | { readonly outcome: 'sign_in_first' | 'email_taken' | 'name_missing' | 'email_missing' };

export type OperatorKey = { readonly id: string } | { readonly email: string };

export interface OperatorStore {
  /** Oldest first, or the one with this key. Case does not matter in an address. */
  listOperators(by?: OperatorKey): Promise<ListedOperator[]>;
  /**
   * Changes the given fields. Disabling ends the operator's sessions and links. Disabling, and no longer
   * being an admin, ends the open links that the operator has made. Null if unknown. Refused if it left no admin who is
   * not disabled.
   */
  updateOperator(
    id: string,
    change: OperatorChange,
    entry?: Recording,
  ): Promise<OperatorRecord | 'last_admin' | 'email_taken' | null>;

  /**
   * Replaces an earlier link that signs in the same operator, or invites the same address to the same team. False if it
   * is an invitation of an operator who is neither an admin nor an owner of the team.
   */
  createLink(link: LinkRecord & { readonly hash: string }, entry?: Recording): Promise<boolean>;
  /** Open invitations of a team, oldest first, or the open link with this hash. Uses nothing. */
  listLinks(by: { readonly teamId: string } | { readonly hash: string }, now: number): Promise<LinkRecord[]>;
  /** False if unknown, or of another team. */
  withdrawInvitation(teamId: string, id: string, entry?: Recording): Promise<boolean>;
  /** Uses a link. Only one of many callers gets `ok`. */
  redeemLink(redeeming: Redeeming, entry?: Recording): Promise<Redeemed>;

  /** Of an operator, oldest first, or the one with this credential. */
  listPasskeys(
    by: Pick<PasskeyRecord, 'operatorId'> | Pick<PasskeyRecord, 'credentialId'>,
  ): Promise<PasskeyRecord[]>;
  /** False if the credential is stored already, or the operator has `maximum`. */
  addPasskey(passkey: PasskeyRecord, maximum: number, entry?: Recording): Promise<boolean>;
  /**
   * Null deletes it. False if unknown, or unless the counter of a use grew, or both are 0: then the passkey may be a
   * copy.
   */
  updatePasskey(
    operatorId: string,
    id: string,
    change: Pick<PasskeyRecord, 'label'> | { readonly counter: number; readonly lastUsedAt: number } | null,
    entry?: Recording,
  ): Promise<boolean>;
  /** Notes that a ceremony was used: only one of many callers gets true. */
  useCeremony(ceremony: CeremonyRecord): Promise<boolean>;

  /** Replaces all codes of the operator. */
  setRecoveryCodes(
    operatorId: string,
    hashes: readonly string[],
    at: number,
    entry?: Recording,
  ): Promise<void>;
  /** Consumes the code: only one of many callers gets true. */
  useRecoveryCode(operatorId: string, hash: string): Promise<boolean>;

  /** Ends the operator's oldest sessions beyond `maximum`. False if the operator is unknown or disabled. */
  startSession(session: NewSession, maximum: number, entry?: Recording): Promise<boolean>;
  /**
   * Null unless both hashes belong to one session that has not ended, of an operator who is not disabled.
   * @param secretHash null: the cookie alone is enough
   */
  findSession(
    hash: string,
    secretHash: string | null,
    now: number,
    idleSince: number,
  ): Promise<SignedInOperator | null>;
  /** When it was last seen, or when its operator proved it again. False: it is gone, or was seen later than that. */
  updateSession(
    id: string,
    change: Pick<SessionRecord, 'seenAt'> | Pick<SessionRecord, 'steppedUpAt'>,
    entry?: Recording,
  ): Promise<boolean>;
  /** Sessions that have not ended, newest first. */
  listSessions(operatorId: string, now: number, idleSince: number): Promise<SessionRecord[]>;
  /** Ends one session, or all (null). Returns how many. One that is not there has no entry. */
  endSessions(operatorId: string, id: string | null, entry?: Recording): Promise<number>;

  /** By name. Of one operator, the one with this id, or all (null). */
  listTeams(of: { readonly operatorId: string } | { readonly id: string } | null): Promise<ListedTeam[]>;
  createTeam(team: TeamRecord, entry?: Recording): Promise<void>;
  /** Null deletes it: only a team without apps; its members and invitations go with it. */
  updateTeam(
    id: string,
    change: Pick<TeamRecord, 'name'> | null,
    entry?: Recording,
  ): Promise<'ok' | 'has_apps' | 'first_team' | 'no_such_team'>;
  /** By name. */
  listMembers(teamId: string): Promise<MemberRecord[]>;
  /** Adds, changes or (null) removes a member. Ends the invitations made by somebody who is no owner now. */
  setMember(
    teamId: string,
    operatorId: string,
    role: Role | null,
    at: number,
    entry?: Recording,
  ): Promise<'ok' | 'last_owner' | 'no_such_member'>;
}
