import { purposeOf } from '../../domain/access/links.ts';
import { type CommandLink, introduced, linkByCommand, listOperators } from '../../domain/access/operators.ts';
import { operatorView } from '../../operations/views.ts';
import { iso } from '../../protocol/time.ts';
import { systemUser } from '../../service/typed-command.ts';
import { type Command, type Result, WrongUsage } from '../command.ts';
import { harmless, when } from '../text.ts';
import { withOperators } from '../with-admin.ts';

export const OPERATOR_LINK: Command = {
  name: 'operator link',
  usage: '[EMAIL] [--admin [--promote]]',
  about:
    'Prints a link that signs in to the portal: once, within 30 minutes. With EMAIL it is for this operator, or for a new one with this address. Without EMAIL it is for whoever opens it first, who is asked for name and address. Without --admin it makes nobody an admin. An operator who exists becomes one only with --promote; without it the command shows who that is, and does nothing. A new link for an operator replaces the one before.',
  words: ['[EMAIL]'],
  options: {
    admin: {
      type: 'boolean',
      meaning:
        'The operator is an admin, who runs the installation: an existing one from now on (with --promote), a new one from opening the link.',
    },
    promote: {
      type: 'boolean',
      meaning:
        'Make an operator who exists an admin. Compare first what the command shows without it: id, name, since when, invited by whom, and when the address was changed.',
    },
  },
  examples: [
    'operator link --admin',
    'operator link ada@example.com',
    'operator link ada@example.com --admin --promote',
  ],
  run: invocation =>
    withOperators(invocation, async deps => {
      const makesAdmin = invocation.options.admin === true;
      const promotes = invocation.options.promote === true;
      if (promotes && !makesAdmin) throw new WrongUsage('--promote goes with --admin');
      // Before anything is made: the address may be unknown.
      const { url } = deps.portal;
      const email = invocation.words[0] ?? null;
      const made = await linkByCommand({ ...deps, portal: { url } }, systemUser(), email, {
        makesAdmin,
        promotes,
      });
      const operators = await listOperators(deps);
      if (!makesAdmin && !operators.some(({ isAdmin, disabledAt }) => isAdmin && disabledAt === null))
        invocation.warn('this installation has no admin, and this link makes none: use --admin');
      return linkResult(made, made.operator && (await introduced(deps, made.operator)));
    }),
};

function linkResult({ url, token, record, operator }: CommandLink, who: string | null): Result {
  const purpose = purposeOf(record);
  const whom = who === null ? 'creates an operator' : `signs in ${harmless(who)}`;
  const isAdmin = operator?.isAdmin ?? record.makesAdmin;
  return {
    json: {
      link: { url, token, purpose, expires_at: iso(record.expiresAt) },
      ...(operator ? { operator: operatorView(operator) } : {}),
    },
    text: `${url}\n\nIt works once, until ${when(record.expiresAt)}. It ${whom}, ${isAdmin ? 'an admin' : 'who is not an admin'}.`,
  };
}
