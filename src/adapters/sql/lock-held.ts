/** What an engine throws when work that only one process may do at a time is under way elsewhere. */
export class LockHeld extends Error {}
