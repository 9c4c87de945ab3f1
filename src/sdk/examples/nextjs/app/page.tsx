import { cookies } from 'next/headers';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { SignIn } from './sign-in';
import { verifier } from './verifier';

async function Greeting() {
  await connection(); // the time of a request, and not of a build, says whether a token has expired
  const token = (await cookies()).get('session')?.value;
  const user = token
    ? await verifier()
        .verify(token)
        .catch(() => null)
    : null;
  return <p>{user ? `The server knows ${user.email}.` : 'Nobody is signed in.'}</p>;
}

export default function Page() {
  return (
    <main>
      <h1>Shop</h1>
      <Suspense fallback={<p>…</p>}>
        <Greeting />
      </Suspense>
      <SignIn />
    </main>
  );
}
