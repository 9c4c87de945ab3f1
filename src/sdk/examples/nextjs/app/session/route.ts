import { withFaceSignIn } from '@face-sign-in/server/web';
import { cookies } from 'next/headers';
import { verifier } from '../verifier';

// The token itself is the session, for its hour. Start one of your own here, with sub as the key of the account.
export const POST = (request: Request) =>
  withFaceSignIn(verifier(), async (request: Request, { email, expiresAt }) => {
    const token = request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
    const secure = process.env.NODE_ENV === 'production';
    (await cookies()).set('session', token, { httpOnly: true, sameSite: 'lax', secure, expires: expiresAt });
    return Response.json({ email });
  })(request);
