import { requestCode } from '../../domain/codes/request.ts';
import { signInByCode } from '../../domain/codes/verify.ts';
import { iso } from '../../domain/time.ts';
import type { requestCodeBody, verifyCodeBody } from '../../protocol/bodies.ts';
import { type Reply, userView } from '../reply.ts';
import type { Input } from '../route.ts';

export async function postEmailCode({
  deps,
  caller,
  body,
}: Input<'publishable', typeof requestCodeBody>): Promise<Reply> {
  return { status: 202, body: { expires_at: iso(await requestCode(deps, caller, body.email)) } };
}

export async function postVerifyCode({
  deps,
  caller,
  body,
}: Input<'publishable', typeof verifyCodeBody>): Promise<Reply> {
  const { user, token, firstVerification } = await signInByCode(deps, caller, {
    email: body.email,
    code: body.code,
    asksOwner: body.asks_owner,
  });
  return {
    status: 200,
    body: {
      user: { ...userView(user), email_verified: user.emailVerified },
      token: token.token,
      expires_at: iso(token.expiresAt),
      method: 'email_code',
      ...(firstVerification && { first_verification: true }),
    },
    session: token.token,
  };
}
