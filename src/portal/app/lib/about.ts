/** What the server wrote into the page: where the API is, and how its SDK is loaded. */
const value = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const ABOUT = {
  /** The API's address, which is also the issuer of tokens. */
  issuer: value('issuer'),
  version: value('version'),
  /** How people type a command of the service. */
  cli: value('cli'),
  /** The whole tag that loads the SDK; empty if the SDK was not built. */
  scriptTag: value('script-tag'),
  /** The header that carries the session's second secret. */
  secretHeader: value('secret-header'),
  /** The header that carries a publishable key. */
  keyHeader: value('key-header'),
  /** Audience of test tokens. */
  testAudience: value('test-audience'),
  hasTry: value('try') === 'on',
} as const;
