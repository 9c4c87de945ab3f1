/**
 * Posts webhooks with undici. Whoever answers is not trusted: they get 15 seconds, 16 KB of headers and little more
 * than a status, are not followed elsewhere, and TLS is verified whatever the environment says. Held by test/webhooks.
 */
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import type { WebhookAnswer, WebhookSender } from '../../ports/webhook-sender.ts';
import type { DeliveryError } from '../../protocol/delivery-errors.ts';
import { AddressRefused, bare, type Targets } from './targets.ts';

const PATIENCE_MS = 15_000;
const HEADER_BYTES = 16 * 1024;
const BODY_BYTES = 4 * 1024;
/** How long the rest of a short answer is waited for, to use the connection again. */
const BODY_MS = 1_000;
/** Shorter than servers keep connections, so that one that was just closed is not used. */
const IDLE_MS = 2_000;

/** @param userAgent of the requests */
export function createSender(targets: Targets, userAgent: string): WebhookSender {
  const agent = new Agent({
    connect: connectorTo(targets),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
  });
  let isClosed = false;

  return {
    addressFault: targets.faultOf,

    async send({ url, headers, body }) {
      const began = performance.now();
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(), PATIENCE_MS);
      const ended = (status: number | null, error: DeliveryError | null): WebhookAnswer => ({
        status,
        error,
        durationMs: Math.round(performance.now() - began),
      });
      try {
        if (new URL(url).hash !== '') return ended(null, 'address');
        const { statusCode, body: answer } = await request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
          body,
          signal: ending.signal,
          dispatcher: agent,
        });
        const outcome = ended(statusCode, statusCode >= 200 && statusCode <= 299 ? null : 'status');
        await leave(answer);
        return outcome;
      } catch (error) {
        if (isClosed) return null;
        return ended(null, ending.signal.aborted ? 'timeout' : errorOf(error));
      } finally {
        clearTimeout(timer);
      }
    },

    async close() {
      isClosed = true;
      await agent.destroy();
    },
  };
}

/** Reads the rest if it is short, and otherwise closes the connection. */
async function leave(answer: Dispatcher.ResponseData['body']): Promise<void> {
  const timer = setTimeout(() => answer.destroy(), BODY_MS);
  await answer.dump({ limit: BODY_BYTES }).catch(() => undefined);
  clearTimeout(timer);
}

/** The address that is connected to is the one that was checked. */
function connectorTo(targets: Targets): buildConnector.connector {
  const shared = { timeout: PATIENCE_MS, rejectUnauthorized: true, allowH2: false };
  const byProtocol = new Map(
    ['https:', 'http:'].map(protocol => [
      protocol,
      buildConnector({ ...shared, lookup: targets.lookupFor(protocol) }),
    ]),
  );
  return (options, done) => {
    try {
      const host = bare(options.hostname);
      // The system does not look up what is an address already.
      if (isIP(host)) targets.check(host, options.protocol);
    } catch (error) {
      done(error as Error, null);
      return;
    }
    byProtocol.get(options.protocol)?.(options, done);
  };
}

/** By code, of the library, Node.js or OpenSSL. */
const CODES: readonly (readonly [RegExp, DeliveryError])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|ETIMEOUT|EREFUSED|EBADNAME)/, 'name'],
  [/TIMEOUT|^ETIMEDOUT/, 'timeout'],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID|UND_ERR_RES)/, 'answer'],
  [/^(ERR_TLS|ERR_SSL|CERT_|EPROTO)|CERT|ISSUER|SIGNATURE/, 'tls'],
];

function errorOf(error: unknown): DeliveryError {
  const faults = error instanceof AggregateError ? error.errors : [error];
  for (const fault of faults) {
    if (fault instanceof AddressRefused) return 'address';
    const { code, name } = fault as NodeJS.ErrnoException;
    const found = CODES.find(([form]) => form.test(code ?? name));
    if (found) return found[1];
  }
  return 'connection';
}
