/**
 * An authenticator in software: passkeys with ES256 and attestation `none`. Every part of an answer can be forged, so
 * that tests can show that each forgery is refused.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What an answer says in place of the truth. */
export interface Forgery {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly counter?: number;
  /** base64url; null: leaves it out. */
  readonly userHandle?: string | null;
  /** Signs with another key. */
  readonly key?: KeyObject;
  /** Bytes that are missing at the end of this part. */
  readonly truncated?: Partial<Record<Part, number>>;
  /** A bit of this part is flipped. */
  readonly flipped?: Part;
}

export type Part = 'clientDataJSON' | 'authenticatorData' | 'attestationObject' | 'signature';

export interface Answer {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly clientExtensionResults: object;
  readonly response: Record<string, unknown>;
}

/** The parts of registration and authentication options that an authenticator reads. */
interface Options {
  readonly challenge?: unknown;
  readonly user?: unknown;
}

export interface Authenticator {
  readonly credentialId: string;
  counter: number;
  register(options: Options, forgery?: Forgery): Answer;
  authenticate(options: Options, forgery?: Forgery): Answer;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** @param counts false: like passkeys that are synchronised, which always say 0 */
export function createAuthenticator(origin: string, { counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential = randomBytes(32);
  const id = credential.toString('base64url');
  let userHandle: string | null = null;

  const clientData = (type: string, options: Options, forgery: Forgery) =>
    Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? options.challenge,
        origin: forgery.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authData = (forgery: Forgery, attested: Buffer | null) => {
    const flags =
      (forgery.userPresent === false ? 0 : USER_PRESENT) |
      (forgery.userVerified === false ? 0 : USER_VERIFIED) |
      (attested ? ATTESTED : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(forgery.counter ?? it.counter, 1);
    const rpId = forgery.rpId ?? new URL(origin).hostname;
    return Buffer.concat([sha256(Buffer.from(rpId)), head, attested ?? Buffer.alloc(0)]);
  };

  const answer = (parts: Partial<Record<Part, Buffer>>, forgery: Forgery, more: object): Answer => {
    const response = Object.fromEntries(
      Object.entries(parts).map(([name, bytes]) => [name, spoilt(name as Part, bytes, forgery)]),
    );
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { ...response, ...more },
    };
  };

  const it: Authenticator = {
    credentialId: id,
    counter: 0,

    register(options, forgery = {}) {
      userHandle = (options.user as { id: string }).id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credential, coseKey(publicKey)]);
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData(forgery, attested)],
        ]),
      );
      const clientDataJSON = clientData('webauthn.create', options, forgery);
      return answer({ clientDataJSON, attestationObject }, forgery, { transports: ['internal', 'made-up'] });
    },

    authenticate(options, forgery = {}) {
      if (counts) it.counter += 1;
      const authenticatorData = authData(forgery, null);
      const clientDataJSON = clientData('webauthn.get', options, forgery);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      const signature = sign('sha256', signed, forgery.key ?? privateKey);
      const handle = forgery.userHandle === undefined ? userHandle : forgery.userHandle;
      const more = handle === null ? {} : { userHandle: handle };
      return answer({ clientDataJSON, authenticatorData, signature }, forgery, more);
    },
  };
  return it;
}

/** Forgeries of which every answer is refused, whatever else is right. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  'another challenge': { challenge: randomBytes(32).toString('base64url') },
  'no challenge': { challenge: '' },
  'an origin of another host': { origin: 'https://evil.example' },
  'an origin with another port': { origin: 'http://localhost:1' },
  'an origin with another scheme': { origin: 'https://localhost:8081' },
  'another portal': { rpId: 'evil.example' },
  'nobody present': { userPresent: false },
  'nobody verified': { userVerified: false },
  'another type': { type: 'payment.get' },
  'client data cut off': { truncated: { clientDataJSON: 1 } },
  'client data changed': { flipped: 'clientDataJSON' },
};

export const REGISTRATION_FORGERIES: Readonly<Record<string, Forgery>> = {
  ...FORGERIES,
  'a sign-in': { type: 'webauthn.get' },
  'attestation cut off by a byte': { truncated: { attestationObject: 1 } },
  'attestation cut off by half': { truncated: { attestationObject: 90 } },
};

export const AUTHENTICATION_FORGERIES: Readonly<Record<string, Forgery>> = {
  ...FORGERIES,
  'a registration': { type: 'webauthn.create' },
  'authenticator data cut off': { truncated: { authenticatorData: 1 } },
  'authenticator data changed': { flipped: 'authenticatorData' },
  'signature cut off': { truncated: { signature: 1 } },
  'no signature': { truncated: { signature: 100 } },
  'signature changed': { flipped: 'signature' },
  'the key of somebody else': { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
};

function spoilt(part: Part, bytes: Buffer, { truncated, flipped }: Forgery): string {
  const copy = Buffer.from(bytes);
  if (flipped === part) copy[copy.length - 3] = (copy.at(-3) as number) ^ 1;
  const end = Math.max(0, copy.length - (truncated?.[part] ?? 0));
  return copy.subarray(0, end).toString('base64url');
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** EC2, ES256, P-256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string };
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** The few types of CBOR that WebAuthn uses here. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)]),
    ]);
  throw new TypeError('not in this subset of CBOR');
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
