/** How each kind of credential is sent. Which of them a route accepts is up to its guard. */
import { KEY_HEADER_NAME, PREFIX, SESSION_COOKIE } from '../../brand.ts';

export const SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: KEY_HEADER_NAME,
    description:
      `A publishable key, \`${PREFIX}_pk_live_…\` or \`${PREFIX}_pk_test_…\`, from a page: the Origin of the request ` +
      'has to be one of the allowed origins of the app, exactly. A test key also works from ' +
      '`http://localhost:PORT` and `http://127.0.0.1:PORT`, with the port written out; https and port 80 have to be ' +
      'listed.',
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
