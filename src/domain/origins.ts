/**
 * Web origins. An origin is compared byte for byte with the app's list, so the list must hold it exactly as browsers
 * send it. Held by test/domain/origins.test.ts.
 */

/** The serialised origin of an http or https address, or null when the text has none. */
function serialisedOrigin(text: string): string | null {
  // The URL parser accepts a wildcard as an ordinary character.
  if (text.includes('*') || !URL.canParse(text)) return null;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/** Recent results: parsing an address takes longer than the rest of the check. */
const KNOWN = new Map<string, boolean>();
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 300;

/** Whether the text is an origin as a browser sends it. `null`, the opaque origin, is not one. */
export function isOrigin(text: string): boolean {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const answer = serialisedOrigin(text) === text;
  if (text.length > LONGEST_KNOWN) return answer;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  KNOWN.set(text, answer);
  return answer;
}

/** Null when an app may list the origin. Otherwise says what is wrong, with the corrected origin if there is one. */
export function originFault(text: string): string | null {
  if (text.includes('*'))
    return `${JSON.stringify(text)} has a wildcard: list each origin separately, like https://a.example`;
  if (isOrigin(text)) return null;
  const corrected = serialisedOrigin(text);
  return corrected
    ? `${JSON.stringify(text)} is not a plain origin: write ${corrected}`
    : `${JSON.stringify(text)} is not an origin: write scheme, host and port only, like https://a.example or http://localhost:3000`;
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d{0,4})$/;

/** Origins that a test publishable key accepts without listing: a port from 1 to 65,535 on this machine. */
export function isLocalhostOrigin(text: string): boolean {
  const port = LOOPBACK.exec(text)?.[1];
  return port !== undefined && Number(port) <= 65_535;
}

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether this is an http address or origin of another machine. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether only pages of the visitor's own machine have this origin. */
export function isOfOwnMachine(origin: string): boolean {
  const corrected = serialisedOrigin(origin);
  return corrected !== null && LOCAL_HOSTS.includes(new URL(corrected).hostname);
}
