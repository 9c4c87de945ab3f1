import { type MadeLink, purposeOf } from '../domain/access/links.ts';
import { oneTimeLink } from '../protocol/portal/answers/operators.ts';
import { viewOf } from '../protocol/view.ts';

const link = viewOf(oneTimeLink);
/** The only answer that has a link's token. */
export const linkOf = ({ record, ...made }: MadeLink) =>
  link({ ...made, purpose: purposeOf(record), expiresAt: record.expiresAt });
