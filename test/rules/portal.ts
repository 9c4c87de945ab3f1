/** The portal: how operators sign in, what they may do, and where it listens. */
import type { Rule } from './rule.ts';

const LINKS = 'test/domain/operators/links.test.ts › ';
const PASSKEYS = 'test/domain/operators/passkeys.test.ts › ';
const SESSIONS = 'test/domain/operators/sessions.test.ts › ';
const RECOVERY = 'test/domain/operators/recovery.test.ts › ';
const RIGHTS = 'test/domain/operators/rights.test.ts › ';
const TEAMS = 'test/domain/operators/teams.test.ts › ';
const ADDRESS = 'test/cli/portal-address.long.test.ts › ';
const CONFIG = 'test/settings/config.test.ts › ';
const CLI = 'test/cli/operators.test.ts › ';
const FROM = 'src/cli/README.md#operators-of-the-portal';

// biome-ignore format: two lines a rule, so that it reads as a table
export const portalRules: readonly Rule[] = [
  { id: 'portal.link-once', from: FROM, rule: 'A link works once, also when it is opened 200 times at once.',
    test: `${LINKS}200 at once: one gets in` },
  { id: 'portal.link-gone', from: FROM, rule: 'Unknown, late and used links, and those of a disabled operator, get one answer.',
    test: `${LINKS}unknown, malformed, late and withdrawn links, and those of a disabled operator: one answer` },
  { id: 'portal.invitation', from: FROM, rule: 'An invitation never signs in an operator who exists.',
    test: `${LINKS}an invitation never signs in an operator who exists` },
  { id: 'portal.link-email-taken', from: FROM, rule: 'An open link does not take the address of an operator, and still works afterwards.',
    test: `${LINKS}an open link with the address of an operator: email_taken, and the link still works` },
  { id: 'portal.link-limit', from: FROM, rule: 'Ten failed links an address in 15 minutes; links of the command line always work.',
    test: `${LINKS}ten failed links an address in 15 minutes; then only links of the command line work there` },
  { id: 'portal.passkey-forgeries', from: FROM, rule: 'No forged answer of an authenticator registers, signs in or steps up.',
    test: `${PASSKEYS}no forged answer registers, signs in or steps up, and nothing changes` },
  { id: 'portal.passkey-once', from: FROM, rule: 'An answer counts once.',
    test: `${PASSKEYS}an answer counts once, though it comes 200 times at once` },
  { id: 'portal.passkey-challenge', from: FROM, rule: 'A challenge belongs to one browser, purpose and operator, for five minutes.',
    test: [`${PASSKEYS}a challenge belongs to its browser, purpose and operator, and ends after five minutes`, `${PASSKEYS}a challenge of one operator is no good in the session of another, though the browser is the same`] },
  { id: 'portal.passkey-counter', from: FROM, rule: 'A counter that does not grow is refused.',
    test: `${PASSKEYS}a counter that does not grow is refused: the passkey may be a copy` },
  { id: 'portal.passkey-limit', from: FROM, rule: 'Ten failed ceremonies an address in 15 minutes.',
    test: `${PASSKEYS}ten failed ceremonies an address in 15 minutes, however many at once; then not even a right one` },
  { id: 'portal.session-two-secrets', from: FROM, rule: 'Only cookie and header together are a session.',
    test: `${SESSIONS}cookie and header together are a session, and nothing else is` },
  { id: 'portal.session-ends', from: FROM, rule: 'A session ends after an hour without requests, and after twelve hours.',
    test: `${SESSIONS}a session ends after an hour without requests, and after twelve hours in any case` },
  { id: 'portal.session-ten', from: FROM, rule: 'At most ten sessions a person: the eleventh ends the oldest.',
    test: `${SESSIONS}the eleventh session ends the oldest` },
  { id: 'portal.session-at-once', from: FROM, rule: 'Disabling, roles and sign-out count with the next request.',
    test: [`${SESSIONS}disabling, roles and removal count with the next request`, `${SESSIONS}sign-out, ending by oneself and by an admin: with the next request`] },
  { id: 'portal.recovery-once', from: FROM, rule: 'A recovery code signs in once; new codes replace all.',
    test: `${RECOVERY}ten codes of 20 letters and digits, each signs in once; new ones replace all` },
  { id: 'portal.recovery-limit', from: FROM, rule: 'Five recovery codes a person and ten an address in 15 minutes.',
    test: [`${RECOVERY}five tries a person and ten an address in 15 minutes, known or unknown`, `${RECOVERY}200 at once: one gets in, and five were tried`] },
  { id: 'portal.other-limits', from: FROM, rule: '20 invitations a team and day, 10 exports an hour, 600 requests and 60 searches a minute.',
    test: [`${RECOVERY}twenty invitations a team and day, ten exports a session and hour: exact under a burst`, `${RECOVERY}600 requests and 60 searches a session and minute`] },
  { id: 'portal.rights', from: FROM, rule: 'Who may what is the table of rights; forbidden comes before step_up_required.',
    test: ['admin', 'owner', 'developer', 'support', 'viewer'].map(rank => `${RIGHTS}${rank}: every action as in the table, forbidden before step_up_required`) },
  { id: 'portal.other-team', from: FROM, rule: 'What belongs to another team is not found.',
    test: `${RIGHTS}what belongs to another team is not found, except by admins` },
  { id: 'portal.step-up', from: FROM, rule: 'A session is stepped up for five minutes; one by recovery code only for own passkeys and codes.',
    test: [`${RIGHTS}a session is stepped up for five minutes from its beginning, or from the last passkey`, `${RIGHTS}a session by recovery code is stepped up only for own passkeys and codes, until a passkey proves more`] },
  { id: 'portal.last-admin', from: FROM, rule: 'The last admin and the last owner of a team stay.',
    test: [`${TEAMS}the last admin stays one, and can sign in`, `${TEAMS}the last owner of a team stays one`] },
  { id: 'portal.last-way-in', from: FROM, rule: 'The last way to sign in cannot be deleted.',
    test: `${PASSKEYS}own passkeys: labels, deletion, and the last way to sign in stays` },
  { id: 'portal.url', from: FROM, rule: 'Beyond loopback PORTAL_URL is required, and https; it is never an IP address.',
    test: [`test/settings/addresses.test.ts › beyond loopback PORTAL_URL is required, and https`, `${CONFIG}PORTAL_URL: good values are taken, bad ones refused in one line with name and example`] },
  { id: 'portal.localhost', from: FROM, rule: 'The portal listens on 127.0.0.1 and ::1; if one is taken, the start is refused.',
    test: [`${ADDRESS}it is announced as localhost, and answers on both addresses`, `${ADDRESS}127.0.0.1 taken by another program: refused in one line, before and after the first start`] },
  { id: 'portal.command-link', from: FROM, rule: 'operator link prints url, token, purpose and end, and makes no admin without --admin.',
    test: `${CLI}link: its address, token, purpose and end; without --admin it says that it makes no admin` },
  { id: 'portal.commands-audited', from: FROM, rule: 'What commands do to operators and teams is in the audit log.',
    test: `${CLI}every link, team and change by command is in the audit log, refused ones too` },
  { id: 'portal.pages-policy', from: 'src/portal/README.md#the-web-app', rule: "The portal's pages run under a policy without inline code, other hosts or frames.",
    test: ['test/portal/static.test.ts › every path of the app answers the same page under its policy', 'test/browser/portal-flow.test.ts › nothing but this service was asked, and no policy was violated'] },
  { id: 'portal.pages-html', from: 'src/portal/README.md#the-web-app', rule: "No script of the portal's pages makes HTML from text.",
    test: 'test/build/portal.test.ts › the page has no inline script and no inline style, and no script makes HTML from text' },
  { id: 'portal.pages-size', from: 'src/portal/README.md#the-web-app', rule: "The portal's first page needs at most 30 kB of scripts, all pages 90 kB.",
    test: ['test/build/portal.test.ts › the first page needs at most 30 kB of scripts: the shell, one language, and the sign-in page', 'test/build/portal.test.ts › all scripts together have at most 90 kB, the style at most 12 kB'] },
  { id: 'portal.pages-link', from: 'src/portal/README.md#the-web-app', rule: 'The token of a link leaves the address bar as soon as the page opens.',
    test: 'test/browser/portal-flow.test.ts › the first link makes an operator with a passkey and codes, and leaves the address bar at once' },
  { id: 'portal.pages-key', from: 'src/portal/README.md#the-web-app', rule: 'A new key is on the page until its dialog is closed, and never again.',
    test: 'test/browser/portal-flow.test.ts › a key is shown once: gone after closing, going back, and reloading' },
  { id: 'portal.pages-form', from: 'src/portal/README.md#the-web-app', rule: 'A session that ends in the middle of a form loses nothing that was typed.',
    test: 'test/browser/portal-flow.test.ts › a session that ends in the middle of a form: sign in, and the form is as it was' },
  { id: 'portal.pages-away', from: 'src/portal/README.md#the-web-app', rule: 'When the service is away the pages keep what was typed, and recover by themselves.',
    test: 'test/browser/portal-states.test.ts › the service away: says so, keeps trying, and recovers by itself with the form kept' },
];
