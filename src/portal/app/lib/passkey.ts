/** WebAuthn in the browser. The library is loaded when it is first needed. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { post } from './api.ts';

/** The person closed the browser's dialog, or the passkey did not answer. */
export class PasskeyFault extends Error {
  readonly kind: 'cancelled' | 'exists' | 'unsupported';
  constructor(cause: unknown) {
    super('passkey', { cause });
    const name = (cause as Error | null)?.name;
    this.kind =
      name === 'InvalidStateError' ? 'exists' : name === 'NotSupportedError' ? 'unsupported' : 'cancelled';
  }
}

export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Asks for a passkey and returns what it answers. @throws PasskeyFault */
async function answered(path: 'session' | 'session/step-up'): Promise<object> {
  type Asked = { options: PublicKeyCredentialRequestOptionsJSON };
  const { options } = await post<Asked>(`${path}/options`, {}, { quiet: path === 'session' });
  const { startAuthentication } = await import('./webauthn.ts');
  return startAuthentication({ optionsJSON: options }).catch(cause => {
    throw new PasskeyFault(cause);
  });
}

export async function signInByPasskey(): Promise<Answer<'begunSession'>> {
  return post<Answer<'begunSession'>>('session', { credential: await answered('session') }, { quiet: true });
}

export async function stepUp(): Promise<void> {
  await post('session/step-up', { credential: await answered('session/step-up') });
}

export async function addPasskey(label: string): Promise<Answer<'passkey'>> {
  type Asked = { options: PublicKeyCredentialCreationOptionsJSON };
  const { options } = await post<Asked>('passkeys/options');
  const { startRegistration } = await import('./webauthn.ts');
  const credential = await startRegistration({ optionsJSON: options }).catch(cause => {
    throw new PasskeyFault(cause);
  });
  const { passkey } = await post<Answer<'passkeyAnswer'>>('passkeys', {
    credential,
    ...(label ? { label } : {}),
  });
  return passkey;
}
