import { cookies } from 'next/headers';
import { SignIn } from './sign-in.jsx';
import { verifier } from './verifier.js';

export default async function Page() {
  const token = (await cookies()).get('session')?.value;
  const user = token ? await verifier.verify(token).catch(() => null) : null;
  return (
    <main>
      <h1>Shop</h1>
      <p>{user ? `The server knows ${user.email}.` : 'Nobody is signed in.'}</p>
      <SignIn />
    </main>
  );
}
