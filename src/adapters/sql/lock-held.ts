/** Thrown if another process holds the lock for work that only one process may do at a time. */
export class LockHeld extends Error {}
