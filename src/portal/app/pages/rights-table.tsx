/** What each role may do, as the service has it. */
import type { Action, Rank } from '../../../protocol/portal/roles.ts';
import { useStrings } from '../lib/language.ts';
import { rightsTable } from '../lib/session.ts';

const RANKS: readonly Rank[] = ['admin', 'owner', 'developer', 'support', 'viewer'];

export function RightsTable() {
  const t = useStrings();
  const rights = rightsTable();
  if (!rights) return null;
  return (
    <details class="card">
      <summary class="strong">{t.teams.rights}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll in-card" tabIndex={0} aria-label={t.teams.rights}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.teams.right}</th>
              {RANKS.map(rank => (
                <th key={rank} scope="col">
                  {t.roles[rank]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(Object.keys(rights) as Action[]).map(action => (
              <tr key={action}>
                <th scope="row">{t.actions[action] ?? action}</th>
                {RANKS.map(rank => (
                  <td key={rank} class={rights[action][rank] === 'no' ? 'soft' : ''}>
                    {t.teams.marks[rights[action][rank]]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
