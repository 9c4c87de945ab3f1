/** What operators see of events: a single event, and the number of events of a day. */
import type { Mode } from '../mode.ts';
import { iso, utcDay } from '../time.ts';

/** The event types of the audit trail. */
export const EVENT_TYPES = [
  'enroll',
  'enroll_face_known',
  'match',
  'match_failed',
  'match_limited',
  'email_code',
  'email_code_failed',
  'email_changed',
  'email_change_failed',
  'templates_added',
  'templates_refused',
  'user_deleted',
  'app_deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventView {
  readonly id: string;
  readonly app_id: string;
  readonly mode: Mode;
  readonly user_id: string | null;
  readonly type: EventType;
  readonly at: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly liveness: unknown;
}

interface Event extends Pick<EventView, 'id' | 'type' | 'ip' | 'liveness'> {
  readonly gallery: { readonly appId: string; readonly mode: Mode };
  readonly userId: string | null;
  readonly at: number;
  readonly userAgent: string | null;
}

export function eventView({ id, gallery, userId, type, at, ip, userAgent, liveness }: Event): EventView {
  return {
    id,
    app_id: gallery.appId,
    mode: gallery.mode,
    user_id: userId,
    type,
    at: iso(at),
    ip,
    user_agent: userAgent,
    liveness,
  };
}

/** The number of events of one type on a day. */
export interface DayView {
  readonly day: string;
  readonly mode: Mode;
  readonly type: EventType;
  readonly count: number;
}

export function dayView({
  day,
  mode,
  type,
  count,
}: Omit<DayView, 'day'> & { readonly day: number }): DayView {
  return { day: utcDay(day), mode, type, count };
}
