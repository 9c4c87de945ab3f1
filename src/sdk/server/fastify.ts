/**
 * The guard as a Fastify plugin, and as a hook for single routes. It does not import Fastify.
 * Held by test/sdk/server-frameworks.test.ts and test/sdk/server-late.test.ts.
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

/** A request that was let in. `faceSignIn` is null if nobody is signed in, with `optional`. */
export type WithFaceSignIn<T> = T & { faceSignIn: VerifiedClaims | null };

export interface FastifyPluginOptions extends GuardOptions {
  readonly verifier: Pick<Verifier, 'verify'>;
}

/**
 * For single routes: `{ onRequest: faceSignInHook(verifier) }`. Puts the claims into `request.faceSignIn`, or answers
 * 401, 403 or 503 and ends the request. If the request has been answered in the meantime or the client is gone, it does
 * nothing, except that it logs an error.
 * @throws TypeError if an option is invalid
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
      // Otherwise Fastify would run the handler or answer again.
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

/** For all routes of the scope it is registered in: `app.register(faceSignIn, { verifier })`. */
export async function faceSignIn(
  instance: FastifyInstanceLike,
  { verifier, ...options }: FastifyPluginOptions,
): Promise<void> {
  // A nested scope inherits the property, and may have stricter options.
  if (!instance.hasRequestDecorator('faceSignIn')) instance.decorateRequest('faceSignIn', null);
  // Fastify passes its own registration options too.
  const {
    prefix: _,
    logLevel: __,
    logSerializers: ___,
    ...own
  } = options as GuardOptions & Record<string, unknown>;
  instance.addHook('onRequest', faceSignInHook(verifier, own));
}

// By default a plugin gets its own scope, and its hooks would guard no route outside it.
Object.assign(faceSignIn, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@face-sign-in/server',
});
