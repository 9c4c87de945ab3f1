/**
 * The guard as a plugin of Fastify, and as a hook for single routes; of Fastify it needs nothing but its shape. Held by
 * test/sdk/server-fastify.test.ts and test/sdk/server-late.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

export interface FastifyRequestLike {
  readonly headers: { readonly authorization?: string | undefined; readonly cookie?: string | undefined };
  readonly log: { error(error: unknown): void };
}

export interface FastifyReplyLike {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: unknown): unknown;
  hijack(): unknown;
  readonly raw: { readonly headersSent: boolean; readonly destroyed: boolean };
}

export interface FastifyInstanceLike {
  hasRequestDecorator(name: string): boolean;
  decorateRequest(name: string, value: null): unknown;
  addHook(name: 'onRequest', hook: FaceSignInHook): unknown;
}

/** A hook for `onRequest` or `preHandler`. */
export type FaceSignInHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;

/** A request that passed: `faceSignIn` is null for nobody, with `optional`. */
export type WithFaceSignIn<T> = T & { faceSignIn: VerifiedClaims | null };

export interface FastifyPluginOptions extends GuardOptions {
  readonly verifier: Pick<Verifier, 'verify'>;
}

/**
 * For single routes: `{ onRequest: faceSignInHook(verifier) }`. Puts the claims into `request.faceSignIn`, or answers 401,
 * 403 or 503 and ends the request. It does nothing when the request was answered meanwhile, or its client has gone; an
 * error is logged then.
 * @throws TypeError when an option is wrong
 */
export function faceSignInHook(verifier: Pick<Verifier, 'verify'>, options?: GuardOptions): FaceSignInHook {
  const guard = createGuard(verifier, options);
  return async (request, reply) => {
    const { authorization, cookie } = request.headers;
    const asked = guard(authorization, cookie).catch(error => {
      if (!isLate(reply)) throw error;
      request.log.error(error);
      return null;
    });
    const outcome = await asked;
    if (outcome === null || isLate(reply)) {
      // Fastify would run the handler, or answer once more.
      reply.hijack();
      return reply;
    }
    if (!isRefusal(outcome)) {
      Object.assign(request, { faceSignIn: outcome.claims });
      return undefined;
    }
    reply.code(outcome.status);
    reply.headers({ ...outcome.headers });
    reply.send(outcome.body);
    return reply;
  };
}

const isLate = ({ raw }: FastifyReplyLike) => raw.headersSent || raw.destroyed;

/** For all routes of the scope that it is registered in: `app.register(faceSignIn, { verifier })`. */
export async function faceSignIn(
  instance: FastifyInstanceLike,
  { verifier, ...options }: FastifyPluginOptions,
): Promise<void> {
  // A scope inside of another one inherits the property, and may have stricter options.
  if (!instance.hasRequestDecorator('faceSignIn')) instance.decorateRequest('faceSignIn', null);
  // Fastify's own options of a registration come along.
  const {
    prefix: _,
    logLevel: __,
    logSerializers: ___,
    ...own
  } = options as GuardOptions & Record<string, unknown>;
  instance.addHook('onRequest', faceSignInHook(verifier, own));
}

// A plugin has a scope of its own unless it says otherwise, and its hooks would guard no route outside of it.
Object.assign(faceSignIn, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@face-sign-in/server',
});
