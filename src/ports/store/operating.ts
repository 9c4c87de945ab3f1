/** What operators read about users, events and usage. Only one verb writes. */
import type { Mode } from '../../protocol/mode.ts';
import type { GalleryKey } from '../matcher.ts';
import type { OutboxEvent } from './outbox.ts';
import type { EventType, MatchOutcome, UsageCounts, UserPosition, UserRecord } from './records.ts';
import type { WindowState } from './sign-in.ts';

/** A user with their gallery. */
export interface PlacedUser {
  readonly gallery: GalleryKey;
  readonly user: UserRecord;
  readonly templateCount: number;
}

export interface EventRecord {
  readonly id: string;
  readonly gallery: GalleryKey;
  /** Null: the event has no user, or the user was erased. */
  readonly userId: string | null;
  readonly type: EventType;
  readonly at: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** As the caller sent it; null if nothing was sent. */
  readonly liveness: unknown;
}

export interface EventFilter {
  readonly appId?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly userId?: string | undefined;
  readonly type?: EventType | undefined;
  /** From this moment on, inclusive. */
  readonly since?: number | undefined;
  /** Before this moment. */
  readonly until?: number | undefined;
}

/** Two users whom faces could not tell apart. */
export interface LookAlikes {
  readonly gallery: GalleryKey;
  /** The id of the one who enrolled later, which says nothing about their templates: users add more. */
  readonly younger: string;
  readonly older: string;
  readonly count: number;
}

interface GalleryWindow {
  readonly gallery: GalleryKey;
  readonly count: number;
}

/** The position of an event in order of time. */
export type EventPosition = Pick<EventRecord, 'at' | 'id'>;

export interface KeptTemplate {
  readonly id: string;
  readonly origin: 'enrolled' | 'learned';
  readonly createdAt: number;
  /** The decrypted descriptor, if requested. */
  readonly vector: Float32Array | null;
}

export interface KeptCode {
  readonly kind: 'sign-in' | 'change';
  readonly expiresAt: number;
  readonly wrong: number;
  /** The new address, for a change of address. */
  readonly newEmail: string | null;
}

/** Everything stored about one user, except counters, whose names only the domain knows. */
export interface UserFile extends PlacedUser {
  readonly consent: {
    readonly policyVersion: string;
    readonly acceptedAt: number;
    readonly ip: string;
    readonly userAgent: string;
  } | null;
  readonly templates: readonly KeptTemplate[];
  /** Oldest first. */
  readonly events: readonly EventRecord[];
  readonly codes: readonly KeptCode[];
  /** What the app's server can still read of the user. */
  readonly told: readonly OutboxEvent[];
}

interface GalleryCensus {
  readonly gallery: GalleryKey;
  readonly users: number;
  readonly templates: number;
}

export interface GalleryUsage extends UsageCounts {
  readonly gallery: GalleryKey;
}

export interface DayCount {
  /** The first moment of the day, UTC. */
  readonly day: number;
  readonly mode: Mode;
  readonly type: EventType;
  readonly count: number;
}

/** What a list of apps shows of one. */
interface AppCounts {
  readonly appId: string;
  readonly users: Readonly<Record<Mode, number>>;
  /** Live auths by the first moment of a day, UTC. Days without any are missing. */
  readonly auths: ReadonlyMap<number, number>;
}

interface DayFilter {
  /** Null: all apps. */
  readonly appId: string | null;
  readonly mode?: Mode;
  readonly from: number;
  readonly to: number;
}

export interface DistanceCount {
  /** The first moment of the day, UTC. */
  readonly day: number;
  readonly outcome: MatchOutcome;
  /** Counts ranges of `DISTANCE_BIN` from 0. */
  readonly bin: number;
  readonly count: number;
}

/** Which comes first. */
export type Order = 'oldest' | 'newest';

export interface UserList {
  /** Default: oldest. */
  readonly order?: Order | undefined;
  /**
   * Only users whose address or name contains the text; case does not matter. Looks through the
   * whole gallery, if there are few.
   */
  readonly contains?: string | undefined;
}

export interface OperatingStore {
  /** Finds a user in any gallery. Null if unknown. */
  placeUser(id: string): Promise<PlacedUser | null>;
  /**
   * In order of creation time, then ID. Starts at the first user in this order, or after a position (whose user may be
   * gone).
   */
  listUsers(
    gallery: GalleryKey,
    after: UserPosition | null,
    limit: number,
    list?: UserList,
  ): Promise<PlacedUser[]>;
  /** One consistent snapshot. Null if there is no such user. */
  userFile(id: string, withVectors: boolean): Promise<UserFile | null>;
  /** Starts at the first event in this order, or behind a position (whose event may be gone). Default: newest first. */
  listEvents(
    filter: EventFilter,
    from: EventPosition | null,
    limit: number,
    order?: Order,
  ): Promise<EventRecord[]>;
  /** Users and templates of every gallery that has any, of one app or of all (null). */
  census(appId: string | null): Promise<GalleryCensus[]>;
  /** The usage of the month, including that of erased apps. */
  usageIn(month: string, appId: string | null): Promise<GalleryUsage[]>;
  /**
   * Counts that a face could not tell two users apart, by their numbers. Nothing is counted if one is gone. A gallery
   * keeps the latest pairs; they are erased with either user.
   */
  countLookAlikes(gallery: GalleryKey, users: readonly [number, number], at: number): Promise<void>;
  /** Pairs counted at least so often, the last time since then; the most often counted first. */
  lookAlikes(since: number, least: number, limit: number): Promise<LookAlikes[]>;
  /** The open windows of the app whose keys begin like this, in the order of their keys. */
  windowsUnder(appId: string, beginning: string, now: number): Promise<WindowState[]>;
  /** The open windows `KIND:APP:MODE`. */
  galleryWindows(kind: string, now: number): Promise<GalleryWindow[]>;
  /**
   * Events by day, mode and type, in this order, from the day of one moment to that of another. Erased users' events
   * still count.
   */
  eventsPerDay(filter: DayFilter): Promise<DayCount[]>;
  /** Of each of the apps, in their order; auths from the day of one moment to that of another. */
  appCounts(appIds: readonly string[], from: number, to: number): Promise<AppCounts[]>;
  /** Nearest faces by day, outcome and range of distances, in this order, from one day to another. */
  distancesPerDay(gallery: GalleryKey, from: number, to: number): Promise<DistanceCount[]>;
}
