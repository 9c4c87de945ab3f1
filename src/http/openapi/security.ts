/** How each kind of credential is sent. Which of them a route accepts is up to its guard. */
import { KEY_HEADER_NAME, PREFIX, SESSION_COOKIE } from '../../brand.ts';

export const SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: KEY_HEADER_NAME,
    description:
      `A publishable key, \`${PREFIX}_pk_live_…\` or \`${PREFIX}_pk_test_…\`, for your pages. The Origin of the request ` +
      'must be exactly one of the app’s allowed origins. A test key also works from `http://localhost:PORT` and ' +
      '`http://127.0.0.1:PORT`, with the port written out; https and port 80 must be on the app’s list.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      `A secret key, \`${PREFIX}_sk_live_…\` or \`${PREFIX}_sk_test_…\`, for your server. ` +
      'A request with an Origin that the app does not allow is refused.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that a user gets by signing in. It works for that user only.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'The user token as a cookie, for pages of first-party apps. If both are sent, the header is used.',
  },
} as const;
