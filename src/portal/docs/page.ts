/**
 * The page `/docs`: the HTTP API in full, made on the server from the same description as `/openapi.json`. It needs no
 * network, no inline code and no script; a small one adds buttons that copy. Viewers that do the same in the browser
 * are megabytes of script and need inline styles. Held by test/portal/docs.test.ts and test/browser/docs.test.ts.
 */
import { readText } from '../../assets.ts';
import { KEY_HEADER_NAME } from '../../brand.ts';
import { MEANING } from '../../http/openapi/failures.ts';
import { ERROR_STATUS, type ErrorCode } from '../../protocol/errors.ts';
import { escapeHtml, prose } from '../html.ts';
import { DESCRIPTION } from './document.ts';
import { keysSection, setupOf } from './keys-section.ts';
import { figure, methodMark, ROUTE_LIST, routeSection } from './route-section.ts';

const PAGE = readText('src/portal/docs/page/page.html');

/** @param api the base URL of the API */
export function docsPage(api: string): string {
  const places = { api, keyHeader: KEY_HEADER_NAME };
  const tags = DESCRIPTION.tags.map(({ name, description }) => {
    const routes = ROUTE_LIST.filter(({ operation }) => operation.tags.includes(name));
    return { name, description, routes, id: `group-${name.toLowerCase()}` };
  });
  const menu = tags.map(({ name, id, routes }) => {
    const items = routes.map(({ method, operation: { operationId, summary } }) => {
      return `<li><a href="#${operationId}">${escapeHtml(summary)} ${methodMark(method)}</a></li>`;
    });
    return `<li><a href="#${id}">${escapeHtml(name)}</a><ul>${items.join('')}</ul></li>`;
  });
  const groups = tags.map(({ name, id, description, routes }) => {
    const sections = routes.map(route => routeSection(route, places)).join('\n');
    return `<h2 id="${id}">${escapeHtml(name)}</h2>\n<p>${prose(description)}</p>\n${sections}`;
  });
  const values: Record<string, string> = {
    version: escapeHtml(DESCRIPTION.info.version),
    api: escapeHtml(api),
    intro: prose(DESCRIPTION.info.description.split('\n\n')[0] ?? ''),
    menu: menu.join('\n'),
    keys: keysSection(),
    setup: figure('Shell', setupOf(api, KEY_HEADER_NAME)),
    groups: groups.join('\n'),
    errors: errorRows(),
  };
  return PAGE.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
}

function errorRows(): string {
  return Object.entries(ERROR_STATUS)
    .map(([code, status]) => {
      const head = `<code>${code}</code> <span class="status">${status}</span>`;
      return `<div id="error-${code}"><dt>${head}</dt><dd>${prose(MEANING[code as ErrorCode])}</dd></div>`;
    })
    .join('');
}
