/** What outlives a handle: every collection of the store. */
import type { KeyObject } from 'node:crypto';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type {
  AppRecord,
  CeremonyRecord,
  DistanceCount,
  EventType,
  KeptCode,
  KeptEntry,
  KeyRecord,
  LinkRecord,
  NewKey,
  NewSession,
  OperatorRecord,
  PasskeyRecord,
  TeamRecord,
  UsageCounts,
  UserRecord,
} from '../../../src/ports/store.ts';
import { FIRST_TEAM } from '../../../src/ports/store.ts';
import type { Role } from '../../../src/protocol/portal/roles.ts';
import { joined, Table, Undo } from './tables.ts';

export type App = AppRecord;
export type ApiKey = NewKey & KeyRecord;
export type User = UserRecord & GalleryKey;
export type Usage = UsageCounts & GalleryKey & { readonly month: string };
type Ends = { readonly expiresAt: number };

export interface Gallery extends GalleryKey {
  readonly sequence: number;
  readonly encoder: string | null;
  readonly prunedTo: number;
}
export interface Template extends GalleryKey {
  readonly id: string;
  readonly userId: string;
  readonly user: number;
  readonly sequence: number;
  readonly origin: 'enrolled' | 'learned';
  readonly sealed: Uint8Array;
  readonly createdAt: number;
}
export interface Removal extends GalleryKey {
  readonly sequence: number;
  readonly templateSequence: number;
  readonly removedAt: number;
}
export interface Consent {
  readonly userId: string;
  readonly policyVersion: string;
  readonly acceptedAt: number;
  readonly ip: string;
  readonly userAgent: string;
}
export interface Code extends Ends {
  readonly userId: string;
  readonly kind: KeptCode['kind'];
  readonly id: string;
  readonly appId: string;
  readonly hash: string;
  readonly wrong: number;
  readonly newEmail: string | null;
  readonly newLockoutKey: string | null;
}
export interface Event extends GalleryKey {
  readonly id: string;
  readonly userId: string | null;
  readonly type: EventType;
  readonly at: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly liveness: string | null;
}
export interface EventDay extends GalleryKey {
  readonly day: number;
  readonly type: EventType;
  readonly count: number;
}
export interface OpenWindow {
  readonly key: string;
  readonly appId: string;
  readonly count: number;
  readonly endsAt: number;
}
export interface SigningKey {
  readonly kid: string;
  readonly sealed: Uint8Array;
  readonly createdAt: number;
  readonly signsAt: number;
  readonly leavesAt: number | null;
}
export interface DataKeyRow {
  readonly id: string;
  readonly owner: string;
  readonly version: number;
  readonly key: KeyObject;
}

export type Session = NewSession;
export interface Member {
  readonly teamId: string;
  readonly operatorId: string;
  readonly role: Role;
  readonly addedAt: number;
}
export interface RecoveryCode {
  readonly hash: string;
  readonly operatorId: string;
  readonly createdAt: number;
}

const byId = (row: { id: string }) => row.id;
const byGallery = ({ appId, mode }: GalleryKey) => joined(appId, mode);

export class Data {
  readonly random = systemRandom();
  readonly undo = new Undo();
  knownTime: number | null = null;
  /** An app was here once. */
  hadApp = false;

  readonly apps = new Table<App>(this.undo, byId);
  readonly apiKeys = new Table<ApiKey>(this.undo, byId, row => row.hash);
  readonly galleries = new Table<Gallery>(this.undo, byGallery);
  readonly users = new Table<User>(this.undo, byId, row =>
    joined(row.appId, row.mode, row.email.toLowerCase()),
  );
  readonly templates = new Table<Template>(this.undo, byId, row => joined(row.appId, row.mode, row.sequence));
  readonly removedTemplates = new Table<Removal>(this.undo, row => joined(row.appId, row.mode, row.sequence));
  readonly consents = new Table<Consent>(this.undo, row => row.userId);
  readonly emailCodes = new Table<Code>(
    this.undo,
    row => joined(row.userId, row.kind),
    row => row.id,
  );
  readonly knownNetworks = new Table<{
    readonly userId: string;
    readonly network: string;
    readonly appId: string;
    readonly endsAt: number;
  }>(this.undo, row => joined(row.userId, row.network));
  readonly lookAlikes = new Table<
    GalleryKey & {
      readonly youngerId: string;
      readonly olderId: string;
      readonly count: number;
      readonly lastAt: number;
    }
  >(this.undo, row => joined(row.youngerId, row.olderId));
  readonly challenges = new Table<GalleryKey & Ends & { readonly id: string }>(this.undo, byId);
  readonly usage = new Table<Usage>(this.undo, row => joined(row.appId, row.mode, row.month));
  readonly authEvents = new Table<Event>(this.undo, byId);
  readonly eventDays = new Table<EventDay>(this.undo, row => joined(row.appId, row.mode, row.day, row.type));
  readonly distanceDays = new Table<GalleryKey & DistanceCount>(this.undo, row =>
    joined(row.appId, row.mode, row.day, row.outcome, row.bin),
  );
  readonly windows = new Table<OpenWindow>(this.undo, row => row.key).quietly();
  readonly signingKeys = new Table<SigningKey>(this.undo, row => row.kid);
  readonly revokedTokens = new Table<Ends & { readonly jti: string }>(this.undo, row => row.jti);
  readonly dataKeys = new Table<DataKeyRow>(this.undo, byId);
  readonly erasures = new Table<{ readonly hash: string; readonly erasedAt: number }>(
    this.undo,
    row => row.hash,
  );
  readonly operators = new Table<OperatorRecord>(this.undo, byId, row => row.email.toLowerCase());
  readonly teams = new Table<TeamRecord>(this.undo, byId);
  readonly members = new Table<Member>(this.undo, row => joined(row.teamId, row.operatorId));
  readonly passkeys = new Table<PasskeyRecord>(this.undo, byId, row => row.credentialId);
  readonly recoveryCodes = new Table<RecoveryCode>(this.undo, row => row.hash);
  readonly ceremonies = new Table<CeremonyRecord>(this.undo, row => row.browser).quietly();
  readonly operatorSessions = new Table<Session>(this.undo, byId, row => row.hash);
  readonly operatorLinks = new Table<LinkRecord & { readonly hash: string }>(
    this.undo,
    byId,
    row => row.hash,
  );
  readonly auditLog = new Table<KeptEntry & { readonly hash: string }>(this.undo, row => String(row.seq));
  auditSeq = 0;
  readonly jobs = new Table<{ readonly name: string; readonly lastRun: number }>(this.undo, row => row.name);

  constructor() {
    this.teams.insert({ id: FIRST_TEAM, name: 'Operators', createdAt: 0 });
  }
}

/** Tests a row for its gallery. */
export function inGallery({ appId, mode }: GalleryKey): (row: GalleryKey) => boolean {
  return row => row.appId === appId && row.mode === mode;
}

export function galleryOf({ appId, mode }: GalleryKey): GalleryKey {
  return { appId, mode };
}

/** Orders by numbers and then words. */
export function by<Row>(...values: ((row: Row) => string | number)[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const value of values) {
      const [left, right] = [value(a), value(b)];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };
}

/** The verbs of a port as they are when nobody has to wait. */
export type Sync<Port> = {
  [Verb in keyof Port]: Port[Verb] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};
