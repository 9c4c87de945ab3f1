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
