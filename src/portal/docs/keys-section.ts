/** How callers identify themselves, and the shell variables of the examples. */
import { PREFIX } from '../../brand.ts';
import { CLI } from '../../typed.ts';
import { escapeHtml, prose } from '../html.ts';
import { DESCRIPTION } from './document.ts';

/** How the page calls each kind of credential, after "Needs". */
export const SCHEME_NAMES: Readonly<Record<string, string>> = {
  publishableKey: 'a publishable key',
  secretKey: 'a secret key',
  userToken: 'a user token',
  sessionCookie: 'the session cookie',
};

export function keysSection(): string {
  const items = Object.entries(DESCRIPTION.components.securitySchemes).map(([id, scheme]) => {
    const name = SCHEME_NAMES[id] ?? id;
    const where =
      scheme.type === 'http'
        ? '<code>Authorization: Bearer …</code>'
        : `${escapeHtml(scheme.in ?? '')} <code>${escapeHtml(scheme.name ?? '')}</code>`;
    const title = name.replace(/^an? |^the /, '').replace(/^./, letter => letter.toUpperCase());
    return `<div id="key-${id}"><dt>${title} <span class="type">${where}</span></dt><dd>${prose(scheme.description)}</dd></div>`;
  });
  return `<dl class="fields">${items.join('')}</dl>`;
}

/** Sets what the examples need. 1 to 128 is a vector like any other, so it enrolls and matches itself. */
export function setupOf(api: string, keyHeader: string): string {
  return `# ${CLI} key create --app APP_ID --type publishable --mode test
export PUBLISHABLE_KEY=${PREFIX}_pk_test_…
# ${CLI} key create --app APP_ID --type secret --mode test
export SECRET_KEY=${PREFIX}_sk_test_…
# A made-up face: 128 numbers
export FACE=$(seq 128 | paste -sd, -)
# Again before each enroll, match and template add
export CHALLENGE_ID=$(curl -sS -X POST "${api}/v1/challenges" \\
  -H "${keyHeader}: $PUBLISHABLE_KEY" \\
  -H "Origin: http://localhost:3000" | grep -o 'ch_[0-9A-Za-z]*')
# From the response of a sign-in
export USER_TOKEN=… USER_ID=usr_…`;
}
