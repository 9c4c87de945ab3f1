/** Everything that may be asked of the service about one person, each with what is known of it afterwards. */
import { type Answer, browser, consent, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import {
  type Account,
  addToken,
  enrolledFaces,
  enrolledProbe,
  goodTokens,
  learnedFace,
  newPerson,
  type Person,
  type Token,
  withEvent,
  withLearned,
} from './person.ts';
import { type Act, ask, outcomeOf, type World } from './world.ts';

const VERSION = { consent, liveness: { score: 0.9, checks: ['blink'] } };
/** Of five an hour, so that another request of the trial finds room. */
const REQUESTS = 4;

export type Visit = (world: World, person: Person) => Promise<void>;

/** Null when none was issued. */
export async function challenge(world: World): Promise<string | null> {
  const answer = await ask(world, 'POST', '/v1/challenges', { headers: browser(world.app) });
  return outcomeOf(world, 'challenge', answer, 200) === 'done' ? answer?.json.challenge_id : null;
}

/** Whatever is answered, but by a failure of the service, the challenge is used. */
export function noteUse(world: World, id: string, answer: Answer | null): void {
  if (answer && answer.status < 500) world.used.push({ id, at: Date.now() });
}

/** @param given a challenge that is there already */
export async function enrolSomebody(world: World, given: string | null = null): Promise<Person | null> {
  const id = given ?? (await challenge(world));
  if (id === null) return null;
  const number = world.people.length;
  const [email, name] = [`person-${number}@crash.example`, `Person ${number} `.padEnd(16, 'abcd')];
  const person = newPerson(number, 1 + world.chance(2), email, name);
  world.people.push(person);
  const descriptors = enrolledFaces(world.faces, person);
  const json = { challenge_id: id, email, name, descriptors, ...VERSION };
  const answer = await act(world, person, 'enroll', person.account, 201, () =>
    ask(world, 'POST', '/v1/enroll', { headers: browser(world.app), json }),
  );
  noteUse(world, id, answer);
  if (person.doubt !== null || answer === null) return person;
  person.standing = 'here';
  person.id = answer.json.user.id;
  addToken(person, answer.json.token);
  return person;
}

/** One of the person's faces, seen again. */
export const signIn: Visit = (world, person) =>
  showFace(world, person, enrolledProbe(world.faces, person, world.chance(person.descriptors)));

export async function showFace(
  world: World,
  person: Person,
  descriptor: readonly number[],
  given: string | null = null,
): Promise<void> {
  const id = given ?? (await challenge(world));
  if (id === null) return;
  const then = withEvent({ ...person.account, signedInAt: Date.now() }, 'match');
  const json = { challenge_id: id, descriptors: [descriptor] };
  const answer = await act(world, person, 'match', then, 200, () =>
    ask(world, 'POST', '/v1/match', { headers: browser(world.app), json }),
  );
  noteUse(world, id, answer);
  if (answer === null || person.doubt !== null) return;
  if (answer.json.user.id === person.id) addToken(person, answer.json.token);
  else world.findings.add('answer', `signed in somebody else than ${person.id}: ${answer.text}`);
}

export const addFaces = (world: World, person: Person, given: string | null = null): Promise<void> =>
  withToken(world, person, async token => {
    const id = given ?? (await challenge(world));
    if (id === null) return;
    const variants = Array.from({ length: 1 + world.chance(3) }, () => person.nextVariant++);
    const descriptors = variants.map(variant => learnedFace(world.faces, person, variant));
    const then = withLearned(person, variants);
    const json = { challenge_id: id, descriptors };
    const answer = await act(world, person, 'templates', then, 201, () =>
      ask(world, 'POST', '/v1/me/templates', { headers: bearer(token.text), json }),
    );
    noteUse(world, id, answer);
    if (answer === null || person.doubt !== null) return;
    const count = person.descriptors + then.learned.length;
    if (answer.json.template_count !== count)
      world.findings.add('answer', `${count} templates wanted: ${answer.text}`);
    addToken(person, answer.json.token);
  });

export const logOut: Visit = (world, person) =>
  withToken(world, person, async token => {
    const then = { ...person.account, revoked: [...person.account.revoked, token.jti] };
    await act(world, person, 'logout', then, 204, () =>
      ask(world, 'POST', '/v1/me/logout', { headers: bearer(token.text) }),
    );
  });

export const rename: Visit = (world, person) =>
  withToken(world, person, async token => {
    const name = `Person ${person.number} named ${world.cycle}-${world.chance(1e9)}`;
    person.marks.push(name);
    await act(world, person, 'rename', { ...person.account, name }, 200, () =>
      ask(world, 'PATCH', '/v1/me', { headers: bearer(token.text), json: { name } }),
    );
  });

export const deleteOwn: Visit = (world, person) =>
  withToken(world, person, async token => {
    await act(world, person, 'deletion', 'gone', 204, () =>
      ask(world, 'DELETE', '/v1/me', { headers: bearer(token.text) }),
    );
  });

export const deleteByServer: Visit = async (world, person) => {
  await act(world, person, 'deletion', 'gone', 204, () =>
    ask(world, 'DELETE', `/v1/users/${person.id}`, { headers: server(world.app) }),
  );
};

/** Asks for a code, and mostly uses it. One that is left is to be good later. */
export const signInByCode: Visit = async (world, person) => {
  if (person.codeRequests >= REQUESTS) return signIn(world, person);
  person.codeRequests += 1;
  const since = Date.now();
  const { mayFail } = world;
  const { email } = person.account;
  const json = { email };
  await act(world, person, 'code_request', { ...person.account, code: '?' }, 202, () =>
    ask(world, 'POST', '/v1/email-codes', { headers: browser(world.app), json }),
  );
  if (person.doubt !== null) return;
  const digits = await world.postbox.code(email, since, world.isOver);
  // The message was on its way when the program was killed. Else it has to come, and the code in it to be good.
  if (digits !== null) person.account = { ...person.account, code: { digits, at: since } };
  else if (!world.isOver() && !mayFail) world.findings.add('lost', `no message came after 202 for ${email}`);
  if (digits !== null && world.chance(4) > 0) await useCode(world, person);
};

/** Uses the pending code, which has to be good. */
export async function useCode(world: World, person: Person): Promise<void> {
  const { email, code } = person.account;
  if (code === null || code === '?') return;
  const { digits } = code;
  const unprovenEnded = person.account.unprovenEnded || !person.account.verified;
  const kept = { ...person.account, signedInAt: Date.now(), verified: true, code: null, unprovenEnded };
  const answer = await act(world, person, 'code', withEvent(kept, 'email_code'), 200, () =>
    ask(world, 'POST', '/v1/email-codes/verify', {
      headers: browser(world.app),
      json: { email, code: digits },
    }),
  );
  if (answer === null || person.doubt !== null) return;
  person.usedCodes.push({ email, digits });
  addToken(person, answer.json.token);
}

/** A new address, up to its confirmation. */
export const changeEmail: Visit = (world, person) =>
  withToken(world, person, async token => {
    if (person.changes >= REQUESTS) return;
    person.changes += 1;
    const email = `person-${person.number}-${person.changes}-${world.cycle}@crash.example`;
    person.marks.push(email);
    const since = Date.now();
    const headers = bearer(token.text);
    // That a change is pending shows in nothing that is compared.
    await act(world, person, 'change', person.account, 202, () =>
      ask(world, 'POST', '/v1/me/email', { headers, json: { new_email: email } }),
    );
    const digits = person.doubt === null ? await world.postbox.code(email, since, world.isOver) : null;
    if (digits === null) return;
    const then = withEvent({ ...person.account, email, verified: true, code: null }, 'email_changed');
    await act(world, person, 'change', then, 200, () =>
      ask(world, 'POST', '/v1/me/email/confirm', { headers, json: { code: digits } }),
    );
  });

async function withToken(
  world: World,
  person: Person,
  visit: (token: Token) => Promise<void>,
): Promise<void> {
  const tokens = goodTokens(person);
  const token = tokens[world.chance(Math.max(1, tokens.length))];
  await (token ? visit(token) : signIn(world, person));
}

/** Sends, and notes what is known of the person then. */
async function act(
  world: World,
  person: Person,
  what: Act,
  then: Account | 'gone',
  wanted: number,
  send: () => Promise<Answer | null>,
): Promise<Answer | null> {
  person.touched = world.cycle;
  const answer = await send();
  if (outcomeOf(world, what, answer, wanted) !== 'done') person.doubt = then;
  else if (then === 'gone') person.standing = 'gone';
  else person.account = then;
  return answer;
}
