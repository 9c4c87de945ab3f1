/** Whoever types commands, for what operators do: an admin without a session. */
import type { SignedInOperator } from '../../ports/store/operators.ts';
import { COMMAND_LINE } from './links.ts';

export function commandLine(now: number): SignedInOperator {
  const operator = {
    ...{ id: COMMAND_LINE, name: COMMAND_LINE, email: '', isAdmin: true, language: null, theme: null },
    ...{ createdAt: now, disabledAt: null, invitedBy: null, emailChangedAt: null },
  };
  const session = {
    ...{ id: '', operatorId: COMMAND_LINE, ip: '', userAgent: '' },
    ...{ beganAt: now, steppedUpAt: now, seenAt: now, endsAt: now },
  };
  return { operator, session: { ...session, means: 'link' }, teams: [] };
}
