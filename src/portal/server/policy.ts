/** The headers of the portal's own pages: nothing inline, nothing of another host, no frames. */
import type { Context } from 'koa';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Only the address of a worker, in src/portal/app/pages/calibrate.tsx.
  'trusted-types worker',
].join('; ');

const PERMISSIONS = [
  'camera=()',
  'microphone=()',
  'geolocation=()',
  'display-capture=()',
  'payment=()',
  'usb=()',
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
].join(', ');

export function pageHeaders(ctx: Context): void {
  fileHeaders(ctx);
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Permissions-Policy', PERMISSIONS);
}

export function fileHeaders(ctx: Context): void {
  // For workers, which have a policy of their own: calibrate.js can ask nothing of anybody.
  ctx.set('Content-Security-Policy', "default-src 'none'");
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Referrer-Policy', 'no-referrer');
}
