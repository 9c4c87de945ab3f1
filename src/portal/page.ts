/** The operators' page: status, problems and how to fix them. Held by test/portal/health.test.ts. */
import { readText } from '../assets.ts';
import { scriptIntegrity, scriptTag } from '../built-sdk.ts';
import type { Condition } from '../health/condition.ts';
import { type Problem, problemsOf, type Status, statusOf } from '../health/problems.ts';
import { iso } from '../protocol/time.ts';
import { CLI } from '../typed.ts';
import { VERSION } from '../version.ts';
import { escapeHtml } from './send.ts';

const PAGE = readText('src/portal/page.html');
const SENTENCES: Record<Status, string> = {
  ok: 'Healthy',
  degraded: 'Degraded: needs attention',
  down: 'Down',
};

interface PagePlaces {
  /** Base URL of the API. */
  readonly api: string;
  /** How people type a command of the service, where the page is read. */
  readonly portal: { readonly cli: string };
  /** Whether `/try` is on. */
  readonly hasTry: boolean;
}

export function frontPage(condition: Condition, { api, portal, hasTry }: PagePlaces): string {
  const problems = problemsOf(condition);
  const status = statusOf(condition, problems);
  const integrity = scriptIntegrity();
  const values: Record<string, string> = {
    version: VERSION,
    cli: CLI,
    portalCli: portal.cli,
    state: status,
    sentence: SENTENCES[status],
    database: condition.isUp ? 'database connected' : 'database not working: check the log',
    api,
    try: hasTry ? 'on' : 'off',
    sdk: integrity === null ? 'off' : 'on',
    script: integrity === null ? '' : scriptTag(api, integrity),
  };
  return PAGE.replace(/\{\{(\w+)\}\}/g, (_, name) =>
    name === 'problems' ? problems.map(item).join('') : escapeHtml(values[name] ?? ''),
  );
}

function item({ message, fix, since }: Problem): string {
  const when = since === null ? '' : ` <span class="since">Since ${escapeHtml(iso(since))}.</span>`;
  return `<li><strong>${escapeHtml(message)}</strong>${when}<br>${escapeHtml(fix)}</li>`;
}
