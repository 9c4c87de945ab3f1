/** Everything that may be asked of the service about one person, each with what is known of it afterwards. */
import { type Answer, browser, consent, type Headers, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import { type Act, ask, type Context, isDone } from './context.ts';
import * as people from './person.ts';
import { type Account, addToken, goodTokens, type Person, withEvent } from './person.ts';

const VERSION = { consent, liveness: { score: 0.9, checks: ['blink'] } };
/** Of five an hour, so that another request of the trial finds room. */
const REQUESTS = 4;

export type Visit = (context: Context, person: Person) => Promise<void>;

/** As a page of the app asks. */
export const askPage = (context: Context, path: string, json?: object) =>
  ask(context, 'POST', path, { headers: browser(context.app), ...(json && { json }) });

/** As the app's server asks. */
export const askServer = (context: Context, method: string, path: string, json?: object) =>
  ask(context, method, path, { headers: server(context.app), ...(json && { json }) });

/** Null when none was issued. */
export async function challenge(context: Context): Promise<string | null> {
  const answer = await askPage(context, '/v1/challenges');
  return isDone(context, 'challenge', answer, 200) ? answer?.json.challenge_id : null;
}

/** Whatever is answered, but by a failure of the service, the challenge is used. */
export async function noteUse(context: Context, id: string, asked: Promise<Answer | null>) {
  const answer = await asked;
  if (answer && answer.status < 500) context.used.push({ id, at: Date.now() });
  return answer;
}

export const askMatch = (context: Context, challenge_id: string, descriptor: readonly number[]) =>
  noteUse(context, challenge_id, askPage(context, '/v1/match', { challenge_id, descriptors: [descriptor] }));

/** @param given a challenge that is there already */
export async function enrolSomebody(context: Context, given: string | null = null): Promise<Person | null> {
  const challenge_id = given ?? (await challenge(context));
  if (challenge_id === null) return null;
  const number = context.people.length;
  const [email, name] = [`person-${number}@crash.example`, `Person ${number} `.padEnd(16, 'abcd')];
  const person = people.newPerson(number, 1 + context.chance(2), email, name);
  context.people.push(person);
  const descriptors = people.enrolledFaces(context.faces, person);
  const json = { challenge_id, email, name, descriptors, ...VERSION };
  const answer = await act(context, person, 'enroll', person.account, 201, () =>
    noteUse(context, challenge_id, askPage(context, '/v1/enroll', json)),
  );
  if (!answer) return person;
  person.standing = 'here';
  person.id = answer.json.user.id;
  addToken(person, answer.json.token);
  return person;
}

/** One of the person's faces, seen again. */
export const signIn: Visit = (context, person) =>
  showFace(context, person, people.enrolledProbe(context.faces, person, context.chance(person.descriptors)));

export async function showFace(
  context: Context,
  person: Person,
  descriptor: readonly number[],
  given: string | null = null,
): Promise<void> {
  const id = given ?? (await challenge(context));
  if (id === null) return;
  const then = withEvent({ ...person.account, signedInAt: Date.now() }, 'match');
  const answer = await act(context, person, 'match', then, 200, () => askMatch(context, id, descriptor));
  if (answer?.json.user.id === person.id) addToken(person, answer?.json.token);
  else if (answer)
    context.findings.add('answer', `signed in somebody else than ${person.id}: ${answer.text}`);
}

export const addFaces = (context: Context, person: Person, given: string | null = null): Promise<void> =>
  withToken(context, person, async headers => {
    const challenge_id = given ?? (await challenge(context));
    if (challenge_id === null) return;
    const variants = Array.from({ length: 1 + context.chance(3) }, () => person.nextVariant++);
    const descriptors = variants.map(variant => people.learnedFace(context.faces, person, variant));
    const then = people.withLearned(person, variants);
    const sent = { headers, json: { challenge_id, descriptors } };
    const answer = await act(context, person, 'templates', then, 201, () =>
      noteUse(context, challenge_id, ask(context, 'POST', '/v1/me/templates', sent)),
    );
    if (!answer) return;
    const count = person.descriptors + then.learned.length;
    if (answer.json.template_count !== count)
      context.findings.add('answer', `${count} templates wanted: ${answer.text}`);
    addToken(person, answer.json.token, false);
  });

export const logOut: Visit = (context, person) =>
  withToken(context, person, async (headers, jti) => {
    const then = { ...person.account, revoked: [...person.account.revoked, jti] };
    await act(context, person, 'logout', then, 204, () => ask(context, 'POST', '/v1/me/logout', { headers }));
  });

export const rename: Visit = (context, person) =>
  withToken(context, person, async headers => {
    const name = `Person ${person.number} named ${context.cycle}-${context.chance(1e9)}`;
    person.marks.push(name);
    await act(context, person, 'rename', { ...person.account, name }, 200, () =>
      ask(context, 'PATCH', '/v1/me', { headers, json: { name } }),
    );
  });

export const deleteOwn: Visit = (context, person) =>
  withToken(context, person, async headers => {
    await act(context, person, 'deletion', 'gone', 204, () => ask(context, 'DELETE', '/v1/me', { headers }));
  });

export const deleteByServer: Visit = async (context, person) => {
  await act(context, person, 'deletion', 'gone', 204, () =>
    askServer(context, 'DELETE', `/v1/users/${person.id}`),
  );
};

/** Asks for a code, and mostly uses it. One that is left is to be good later. */
export const signInByCode: Visit = async (context, person) => {
  if (person.codeRequests >= REQUESTS) return signIn(context, person);
  person.codeRequests += 1;
  const since = Date.now();
  const { mayFail } = context;
  const { email } = person.account;
  const asked = await act(context, person, 'code_request', { ...person.account, code: '?' }, 202, () =>
    askPage(context, '/v1/email-codes', { email }),
  );
  if (!asked) return;
  const digits = await context.postbox.code(email, since, context.isOver);
  // The message was on its way when the program was killed. Else it has to come, and the code in it to be good.
  if (digits !== null) person.account = { ...person.account, code: { digits, at: since } };
  else if (!context.isOver() && !mayFail)
    context.findings.add('lost', `no message came after 202 for ${email}`);
  if (digits !== null && context.chance(4) > 0) await useCode(context, person);
};

/** Uses the pending code, which has to be good. */
export async function useCode(context: Context, person: Person): Promise<void> {
  const { email, code } = person.account;
  if (code === null || code === '?') return;
  const { digits } = code;
  const unprovenEnded = person.account.unprovenEnded || !person.account.verified;
  const kept = { ...person.account, signedInAt: Date.now(), verified: true, code: null, unprovenEnded };
  const answer = await act(context, person, 'code', withEvent(kept, 'email_code'), 200, () =>
    askPage(context, '/v1/email-codes/verify', { email, code: digits }),
  );
  if (!answer) return;
  person.usedCodes.push({ email, digits });
  addToken(person, answer.json.token);
}

/** A new address, up to its confirmation. */
export const changeEmail: Visit = (context, person) =>
  withToken(context, person, async (headers, jti) => {
    if (person.changes >= REQUESTS) return;
    person.changes += 1;
    const email = `person-${person.number}-${person.changes}-${context.cycle}@crash.example`;
    person.marks.push(email);
    const since = Date.now();
    // That a change is pending shows in nothing that is compared.
    const asked = await act(context, person, 'change', person.account, 202, () =>
      ask(context, 'POST', '/v1/me/email', { headers, json: { new_email: email } }),
    );
    const digits = asked && (await context.postbox.code(email, since, context.isOver));
    if (digits === null) return;
    const { iat = 0 } = person.tokens.find(token => token.jti === jti) ?? {};
    const unprovenBefore = person.account.verified ? person.account.unprovenBefore : iat;
    const kept = { ...person.account, email, verified: true, code: null, unprovenBefore };
    const then = withEvent(kept, 'email_changed');
    await act(context, person, 'change', then, 200, () =>
      ask(context, 'POST', '/v1/me/email/confirm', { headers, json: { code: digits } }),
    );
  });

async function withToken(
  context: Context,
  person: Person,
  visit: (headers: Headers, jti: string) => Promise<void>,
): Promise<void> {
  const tokens = goodTokens(person);
  const token = tokens[context.chance(Math.max(1, tokens.length))];
  await (token ? visit(bearer(token.text), token.jti) : signIn(context, person));
}

/** Sends, and notes what is known of the person then. @returns the answer if it is the wanted one */
async function act(
  context: Context,
  person: Person,
  what: Act,
  then: Account | 'gone',
  wanted: number,
  send: () => Promise<Answer | null>,
): Promise<Answer | null> {
  person.touched = context.cycle;
  const answer = await send();
  if (!isDone(context, what, answer, wanted)) {
    person.doubt = then;
    return null;
  }
  if (then === 'gone') person.standing = 'gone';
  else person.account = then;
  return answer;
}
