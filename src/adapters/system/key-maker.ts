/** Generates ES256 key pairs with jose. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { KeyMaker } from '../../ports/system.ts';

export const systemKeyMaker: KeyMaker = {
  async make() {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const { kty, crv, x, y } = await exportJWK(publicKey);
    const publicJwk = { kty, crv, x, y } as { kty: string; crv: string; x: string; y: string };
    return {
      kid: await calculateJwkThumbprint(publicJwk),
      publicJwk,
      privateJwk: await exportJWK(privateKey),
    };
  },
};
