/**
 * Verifies that a webhook is from the service: Standard Webhooks 1.0.0, https://www.standardwebhooks.com. Needs nothing
 * but Web Crypto, whose comparison takes the same time whatever differs. Held by test/sdk/server-webhook.test.ts;
 * in test/clients the library of the standard is its judge.
 */
import { checkedEvent, type EventOf, type ServiceEvent } from './events.ts';

/** `webhook.test` is what an operator sends to try a webhook. */
export type WebhookEvent = ServiceEvent | EventOf<'webhook.test', { readonly webhook_id: string }>;

const MEANINGS = {
  missing_header: 'The request lacks webhook-id, webhook-timestamp or webhook-signature: it is no webhook.',
  timestamp: 'The webhook was sent more than five minutes ago or ahead, or one of the two clocks is wrong.',
  signature: 'The webhook was not signed with this secret, or its body is not the one that was sent.',
  malformed: 'The body is signed but is no event.',
} as const;

export type WebhookErrorCode = keyof typeof MEANINGS;

/** A webhook that was refused. Answer 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, options?: { cause?: unknown }) {
    super(MEANINGS[code], options);
    this.code = code;
  }
}

/** Of a web-standard request, or of Node.js. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_MS = 300_000;
/** During a roll there are two. */
const MOST_SIGNATURES = 10;

/**
 * The event of a webhook.
 * @param body as it arrived, before any parser: text or bytes
 * @param secret `whsec_…`; several, if any of them is good
 * @throws WebhookError; TypeError if the body was parsed, or a secret is not one
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[] | undefined,
  { now = Date.now }: { readonly now?: (() => number) | undefined } = {},
): Promise<WebhookEvent> {
  const keys = await Promise.all([secret].flat().map(keyOf));
  const bytes = bytesOf(body);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(name => header(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookError('missing_header');
  const isTime = /^\d{1,12}$/.test(timestamp);
  if (!isTime || !(Math.abs(now() - Number(timestamp) * 1_000) <= TOLERANCE_MS))
    throw new WebhookError('timestamp');
  const signed = await new Blob([`${id}.${timestamp}.`, bytes]).arrayBuffer();
  for (const one of signatures.split(' ').slice(0, MOST_SIGNATURES))
    for (const key of keys)
      if (one.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, decoded(one.slice(3)), signed)))
        return eventOf(bytes);
  throw new WebhookError('signature');
}

async function keyOf(secret: unknown): Promise<CryptoKey> {
  const text = /^(?:whsec_)?([A-Za-z0-9+/]{24,}={0,2})$/.exec(typeof secret === 'string' ? secret : '')?.[1];
  const key = decoded(text ?? '');
  if (key.length === 0)
    throw new TypeError('secret: give the "whsec_…" of the webhook. Is the environment variable set?');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Empty if it is not base64 in its one spelling. */
function decoded(text: string) {
  try {
    const bytes = atob(text);
    if (btoa(bytes) === text) return Uint8Array.from(bytes, character => character.charCodeAt(0));
  } catch {
    // Not base64 at all.
  }
  return new Uint8Array(0);
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('body: pass it as it arrived, text or bytes. Read it before a JSON parser does.');
}

function header(headers: WebhookHeaders, name: string): string | null {
  const full = `webhook-${name}`;
  if (typeof headers.get === 'function') return headers.get(full);
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === full)?.[1];
  return typeof value === 'string' ? value : null;
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return checkedEvent(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new WebhookError('malformed', { cause });
  }
}
