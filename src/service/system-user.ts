/** Who runs the process, for the audit log. */
import { userInfo } from 'node:os';

export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the system's list, as in some containers.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
