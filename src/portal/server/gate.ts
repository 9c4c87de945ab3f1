/**
 * What every request below `/internal` has to be, before anything else of it is looked at: addressed to PORTAL_URL, and
 * sent by a page of PORTAL_URL if a page sent it. Other hosts' pages cannot reach the portal by a name that resolves to
 * this machine, and pages on other ports of localhost cannot use its cookies.
 * Held by test/portal/internal/refused.test.ts.
 */
import type { Context } from 'koa';
import { Refusal } from '../../domain/refusal.ts';
import { hasBody, requireJson } from '../../http/body.ts';

/** @param url PORTAL_URL @throws Refusal origin_not_allowed, unsupported_media_type */
export function passGate(ctx: Context, url: string): void {
  const { host, origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (!isHostOf(url, host))
    throw new Refusal('origin_not_allowed', `Open the portal at its own address: ${url}`);
  if (origin !== undefined && origin !== url)
    throw new Refusal('origin_not_allowed', `Only pages of ${url} may send this request.`);
  if (site !== undefined && site !== 'same-origin')
    throw new Refusal('origin_not_allowed', `Only pages of ${url} may send this request.`);
  if (hasBody(ctx)) requireJson(ctx);
}

/** @param url PORTAL_URL, an origin; empty until the portal listens */
export function isHostOf(url: string, host: string | undefined): boolean {
  return url !== '' && host === url.slice(url.indexOf('//') + 2);
}
