/**
 * The client's log against the database: everybody who was told of, the counts, and the challenges. What went
 * unanswered is settled here, one way or the other; a state in between is a finding.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { compareTold, tellingOf } from './compare-told.ts';
import { COUNTED, type Context } from './context.ts';
import { type Account, CODE_GOOD_MS, type EventType, type Person, TOKEN_GOOD_MS } from './person.ts';
import { databaseBytes, type Facts, type Rows, readRows } from './rows.ts';

const JOURNAL_MS = 4_000;
const TYPES: readonly EventType[] = ['enroll', 'match', 'email_code', 'email_changed', 'templates_added'];

export async function compareRows(context: Context): Promise<void> {
  const { findings } = context;
  const rows = await rowsWithJournal(() => context.rows?.() ?? readRows(context.dataDir));
  for (const line of rows.damage) findings.add('damaged', line);
  for (const line of rows.halves) findings.add('half', line);
  if (rows.unjournaled > 0) findings.add('half', `${rows.unjournaled} erasures are missing in the journal`);
  compareCounts(context, rows);
  compareTold(context, rows);
  for (const { id } of context.used)
    if (rows.challenges.has(id)) findings.add('returned', `${id} was used, and is in the database`);
  for (const person of context.people) {
    if (person.standing === 'gone') compareGone(context, person, rows);
    else if (person.standing !== 'lost' && person.standing !== 'absent') settle(context, person, rows);
  }
  if (!context.rows) await findRemains(context);
}

/** What the journal lacks, after a deletion that was answered 503, follows soon. */
async function rowsWithJournal(read: () => Rows | Promise<Rows>): Promise<Rows> {
  for (const end = Date.now() + JOURNAL_MS; ; await delay(200)) {
    const rows = await read();
    if (rows.unjournaled === 0 || Date.now() > end) return rows;
  }
}

/** At least what was acknowledged, at most that and what went unanswered. */
function compareCounts(context: Context, rows: Rows): void {
  for (const what of COUNTED) {
    const { done, open } = context.since[what];
    const [least, now] = [context.counts[what] + done, rows.counts[what]];
    const text = `${what} was counted ${now} times: ${least} were acknowledged, ${open} went unanswered`;
    if (now < least) context.findings.add('lost', text);
    if (now > least + open) context.findings.add('half', text);
  }
  context.counts = rows.counts;
  for (const act of Object.values(context.since)) Object.assign(act, { done: 0, open: 0 });
}

function settle(context: Context, person: Person, rows: Rows): void {
  const { findings } = context;
  person.id ??= rows.idByEmail.get(person.account.email) ?? null;
  const mentions = person.id === null ? [] : (rows.mentions.get(person.id) ?? []);
  const mayBeMissing = person.standing === 'coming' || person.doubt === 'gone';
  const facts = person.id === null ? undefined : rows.people.get(person.id);
  if (!facts) {
    if (mentions.length > 0)
      findings.add('half', `${nameOf(person)} is no user, and yet in ${mentions.join(', ')}`);
    else if (!mayBeMissing) findings.add('lost', `${nameOf(person)} was acknowledged, and is not there`);
    person.standing = !mayBeMissing ? 'lost' : person.standing === 'coming' ? 'absent' : 'gone';
    return;
  }
  const differences = differs(person, person.account, facts, rows);
  const candidate = person.doubt !== null && person.doubt !== 'gone' ? person.doubt : null;
  const otherwise = candidate && differs(person, candidate, facts, rows);
  person.standing = 'here';
  if (differences.length > 0 && otherwise?.length === 0 && candidate) person.account = candidate;
  else if (differences.length > 0) {
    const text = `${nameOf(person)}: ${differences.join('; ')}`;
    const unanswered = otherwise ? `; or with what went unanswered: ${otherwise.join('; ')}` : '';
    const isLost = differences.some(line => otherwise?.includes(line) ?? true);
    findings.add(isLost ? 'lost' : 'half', text + unanswered);
    person.standing = 'lost';
  } else if (candidate?.code === '?') person.account = { ...person.account, code: '?' };
  person.doubt = null;
}

/** Nodes follow the database's clock as they measured it. A lost sign-in also lacks its event. */
const CLOCKS_MS = 1_000;

/** In words; empty when the account is as the rows have it. */
function differs(person: Person, account: Account, facts: Facts, rows: Rows): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['email', account.email, facts.email],
    ['name', account.name, facts.name],
    ['verified', account.verified, facts.verified],
    ['enrolled templates', person.descriptors, facts.enrolled],
    ['learned templates', account.learned.length, facts.learned],
    ['consents', 1, facts.consents],
    ['signed in', true, (facts.signedInAt ?? -1) >= (account.signedInAt ?? -1) - CLOCKS_MS],
    ...tellingOf(person, account, facts),
    ...TYPES.map((type): [string, unknown, unknown] => [type, account.events[type], facts.events[type] ?? 0]),
  ];
  const { code } = account;
  const isOld = code !== null && code !== '?' && Date.now() - code.at > CODE_GOOD_MS;
  if (code !== '?' && !isOld) pairs.push(['pending code', code !== null, facts.hasCode]);
  for (const { jti, at } of person.tokens)
    if (Date.now() - at < TOKEN_GOOD_MS)
      pairs.push([`token ${jti} signed out`, account.revoked.includes(jti), rows.revoked.has(jti)]);
  return pairs
    .filter(([, wanted, found]) => wanted !== found)
    .map(([what, wanted, found]) => `${what} is ${found}, not ${wanted}`);
}

function compareGone(context: Context, person: Person, rows: Rows): void {
  const mentions = rows.mentions.get(person.id ?? '') ?? [];
  if (mentions.length > 0)
    context.findings.add('returned', `${nameOf(person)} was deleted, and is in ${mentions.join(', ')}`);
  const owner = rows.idByEmail.get(person.account.email);
  if (owner && owner !== person.id)
    context.findings.add('returned', `${owner} has the address of ${nameOf(person)}`);
}

/**
 * Bytes of those whose deletion was acknowledged since the last check. The service may leave stray copies to a rebuild
 * that follows soon, so what is found is looked for again for some seconds.
 */
async function findRemains(context: Context): Promise<void> {
  const touched = context.people.filter(person => person.touched === context.cycle && person.doubt === null);
  const gone = touched.filter(({ standing }) => standing === 'gone');
  const present = touched.find(({ standing }) => standing === 'here');
  const end = Date.now() + context.rebuildMs;
  for (;;) {
    const bytes = gone.length > 0 ? databaseBytes(context.dataDir) : Buffer.alloc(0);
    if (gone.length > 0 && present && !bytes.includes(present.id ?? ''))
      context.findings.add('remains', 'nobody is found at all: this check sees nothing');
    const left = gone.flatMap(person =>
      [...person.marks, person.id ?? '-']
        .filter(mark => bytes.includes(mark))
        .map(mark => `${mark} of ${nameOf(person)}, ${context.rebuildMs} ms after the start`),
    );
    if (left.length === 0) return;
    if (Date.now() > end) for (const text of left) context.findings.add('remains', text);
    if (Date.now() > end) return;
    await delay(500);
  }
}

const nameOf = (person: Person) => `person ${person.number} (${person.id ?? 'no id'})`;
