/** What the description says of credentials: how each is sent, which a guard asks for, and how it refuses. */
import { KEY_HEADER_NAME, PREFIX, SESSION_COOKIE } from '../../brand.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Guard } from '../route.ts';

export const SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: KEY_HEADER_NAME,
    description:
      `A publishable key, \`${PREFIX}_pk_live_…\` or \`${PREFIX}_pk_test_…\`, from a page: the Origin of the request ` +
      'has to be one of the allowed origins of the app, exactly. A test key also works from ' +
      '`http://localhost:PORT` and `http://127.0.0.1:PORT`, with the port written out; https and port 80 have to be listed.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      `A secret key, \`${PREFIX}_sk_live_…\` or \`${PREFIX}_sk_test_…\`, from a server. ` +
      'With an Origin that is not one of the allowed origins of the app it is refused.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that a user got by signing in, for that one user.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The token as a cookie, for the pages of first-party apps. The header wins over it.',
  },
} as const;

interface Access {
  /** Alternatives. None: open to anybody. */
  readonly schemes: readonly (keyof typeof SCHEMES)[];
  readonly errors: readonly ErrorCode[];
}

const BY_KEY: readonly ErrorCode[] = ['unauthorized', 'origin_not_allowed'];
const BY_TOKEN: readonly ErrorCode[] = ['unauthorized', 'token_revoked', 'not_found'];
const ACCESS: Readonly<Record<Guard, Access>> = {
  open: { schemes: [], errors: [] },
  publishable: { schemes: ['publishableKey'], errors: BY_KEY },
  secret: { schemes: ['secretKey'], errors: BY_KEY },
  user: { schemes: ['userToken'], errors: BY_TOKEN },
  session: { schemes: ['userToken', 'sessionCookie'], errors: [...BY_TOKEN, 'origin_not_allowed'] },
};

export function accessOf(guard: Guard): { security: object[]; errors: readonly ErrorCode[] } {
  const { schemes, errors } = ACCESS[guard];
  return { security: schemes.map(scheme => ({ [scheme]: [] })), errors };
}
