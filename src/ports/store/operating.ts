/** What operators ask of the store about people, events and numbers. No verb writes. */
import type { Mode } from '../../protocol/mode.ts';
import type { GalleryKey } from '../matcher.ts';
import type { EventType, UsageCounts, UserPosition, UserRecord } from './records.ts';

/** A user with the place where the user is kept. */
export interface PlacedUser {
  readonly gallery: GalleryKey;
  readonly user: UserRecord;
  readonly templateCount: number;
}

export interface EventRecord {
  readonly id: string;
  readonly gallery: GalleryKey;
  /** Null: of nobody, or of somebody who was erased. */
  readonly userId: string | null;
  readonly type: EventType;
  readonly at: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** As it was sent; null when nothing was. */
  readonly liveness: unknown;
}

export interface EventFilter {
  readonly appId?: string;
  readonly mode?: Mode;
  readonly userId?: string;
  readonly type?: EventType;
  /** From this moment on. */
  readonly since?: number;
  /** Before this moment. */
  readonly until?: number;
}

/** Where an event stands in the order of time. */
export type EventPosition = Pick<EventRecord, 'at' | 'id'>;

export interface KeptTemplate {
  readonly id: string;
  readonly origin: 'enrolled' | 'learned';
  readonly createdAt: number;
  /** Opened, when it was asked for. */
  readonly vector: Float32Array | null;
}

export interface KeptCode {
  readonly kind: 'sign-in' | 'change';
  readonly expiresAt: number;
  readonly wrong: number;
  /** The address to be, of a change. */
  readonly newEmail: string | null;
}

/** All that is kept of one person, but for counters, whose names are the domain's. */
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
}

export interface GalleryCensus {
  readonly gallery: GalleryKey;
  readonly users: number;
  readonly templates: number;
}

export interface GalleryUsage extends UsageCounts {
  readonly gallery: GalleryKey;
}

export interface DayCount {
  /** The day's first moment, UTC. */
  readonly day: number;
  readonly mode: Mode;
  readonly type: EventType;
  readonly count: number;
}

export interface OperatingStore {
  /** Wherever the user is; null when unknown. */
  placeUser(id: string): Promise<PlacedUser | null>;
  /** As `listUsers` does, with the number of templates. */
  listPlacedUsers(gallery: GalleryKey, after: UserPosition | null, limit: number): Promise<PlacedUser[]>;
  /** One consistent state; null when there is no such user. */
  userFile(id: string, withVectors: boolean): Promise<UserFile | null>;
  /** Newest first; from the end, or before a position (whose event need not exist any more). */
  listEvents(filter: EventFilter, before: EventPosition | null, limit: number): Promise<EventRecord[]>;
  /** Users and templates of every gallery that has some; of one app, when it is given. */
  census(appId: string | null): Promise<GalleryCensus[]>;
  /** What was counted in the month, of apps that are erased too. */
  usageIn(month: string, appId: string | null): Promise<GalleryUsage[]>;
  /** Events by day, mode and type from the moment on. */
  eventsPerDay(appId: string | null, since: number): Promise<DayCount[]>;
}
