/** One route on the page: what it is for, who may call it, its fields, its responses and an example. */
import { ERROR_STATUS, type ErrorCode } from '../../protocol/errors.ts';
import { escapeHtml, prose } from '../html.ts';
import { DESCRIPTION, type Operation, type Response, schemaOf, shapesOf } from './document.ts';
import { curlOf, exampleOf } from './example.ts';
import { fieldList, fieldsIn } from './fields.ts';
import { SCHEME_NAMES } from './keys-section.ts';

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const ROUTE_LIST: readonly Route[] = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

export interface Places {
  /** The base URL of the API. */
  readonly api: string;
  readonly keyHeader: string;
}

export function routeSection(route: Route, places: Places): string {
  const { method, path, operation } = route;
  const { operationId: id, summary, description } = operation;
  return `<section class="route" aria-labelledby="${id}">
<div>
<h3 id="${id}"><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="line">${methodMark(method)} <code>${escapeHtml(path)}</code></p>
<p class="guard">${guardOf(operation)}</p>
${description ? `<p>${prose(description)}</p>` : ''}
${parametersOf(operation)}
${bodyOf(operation)}
${successesOf(operation)}
<h4>Errors</h4>
${errorsOf(operation)}
</div>
<div class="examples">
${figure('curl', curlOf(route, places))}
${responseExample(operation)}
</div>
</section>`;
}

export const methodMark = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

/** Code with a caption; the page's script adds a button that copies it. */
export function figure(caption: string, code: string): string {
  return `<figure><figcaption>${caption}</figcaption><pre><code>${escapeHtml(code)}</code></pre></figure>`;
}

function guardOf({ security }: Operation): string {
  const names = security.flatMap(one => Object.keys(one));
  if (names.length === 0) return 'Open to anyone: needs no key.';
  return `Needs ${names.map(name => `<a href="#key-${name}">${SCHEME_NAMES[name]}</a>`).join(' or ')}.`;
}

function parametersOf({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return '';
  const fields = parameters.map(({ name, required, description, schema }) => ({
    name,
    required,
    schema: description === undefined ? schema : { ...schema, description },
  }));
  return `<h4>Parameters</h4>${fieldList(fields, 'required')}`;
}

function bodyOf({ requestBody }: Operation): string {
  const schema = schemaOf(requestBody);
  if (!schema) return '';
  return `<h4>Request body</h4>${shapesOf(schema)
    .map(shape => fieldList(fieldsIn(shape), 'required'))
    .join('')}`;
}

function successesOf({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([, { $ref }]) => $ref === undefined)
    .map(([status, response]) => {
      const schema = schemaOf(response);
      const shapes = schema ? shapesOf(schema) : [];
      const lists = shapes.map(shape => fieldList(fieldsIn(shape), 'optional'));
      const body = lists.length > 0 ? lists.join('<p class="or">or</p>') : '<p>No body.</p>';
      return `<h4>Response <span class="status">${status}</span></h4><p>${prose(response.description)}</p>${body}`;
    })
    .join('\n');
}

/** The error codes of a route by status. They are explained once, at the end of the page. */
function errorsOf({ responses }: Operation): string {
  const items = Object.entries(responses)
    .filter(([status, { $ref }]) => $ref !== undefined && status !== 'default')
    .map(([status, response]) => {
      const codes = codesOf(response).map(code => `<a href="#error-${code}"><code>${code}</code></a>`);
      return `<li><span class="status">${status}</span> ${codes.join(' ')}</li>`;
    });
  return `<ul class="errors">${items.join('')}</ul>`;
}

function codesOf({ $ref }: Response): ErrorCode[] {
  const schema = schemaOf(DESCRIPTION.components.responses[$ref?.split('/').at(-1) ?? '']);
  const codes = (schema ? shapesOf(schema) : []).flatMap(shape => {
    const code = shape.properties?.error?.properties?.code;
    return code?.enum ?? [code?.const];
  });
  return codes.filter((code): code is ErrorCode => typeof code === 'string' && code in ERROR_STATUS);
}

function responseExample({ responses }: Operation): string {
  const [status, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = schemaOf(response);
  return schema ? figure(`Response ${status}`, JSON.stringify(exampleOf(schema), null, 2)) : '';
}
