/**
 * Files that are written while they are read: what ends a session or a right ends them too, in the middle of a page at
 * most; they hold what was there at their start, and take ten minutes at most. What was cut off never looks complete.
 * The real routes run, with lines that the test releases one by one.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';
import * as assert from 'uvu/assert';
import { createAuditCounts } from '../../../src/domain/access/audit-counts.ts';
import { visibleAuditFile } from '../../../src/domain/access/visible-audit.ts';
import { createMinuteWindows, MinutesInMemory } from '../../../src/domain/limits/minute-windows.ts';
import { answerErrors } from '../../../src/http/errors.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { peopleCsv, peopleJsonl } from '../../../src/operations/people-files.ts';
import type { OperationDeps } from '../../../src/operations/table/deps.ts';
import { Reply } from '../../../src/operations/table/reply.ts';
import { portalError } from '../../../src/portal/server/errors.ts';
import { internalPipeline } from '../../../src/portal/server/pipeline.ts';
import { LONGEST_STREAM } from '../../../src/portal/server/stream.ts';
import { enrolled, faces } from '../../support/client.ts';
import { credentials, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import type { Place } from './requests.ts';
import { placeIn } from './setup.ts';

const test = suite('internal: streams');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const store = () => operators.admin.deps.store;
const FILES = OPERATIONS.filter(({ answer }) => /csv|jsonl/.test(answer.type ?? ''));

/** The lines of the file that is being read: `next` lets another one be written, if anybody asks for one. */
let written: { next: (line: string | null) => void };

let server: ReturnType<typeof createServer>;
test.before(async () => {
  const { deps } = operators.admin;
  const all = {
    ...{ ...deps, portal: { url: run.portal } },
    settings: { ...deps.settings, limitExportsPerOperator: 0 },
    windows: createMinuteWindows(new MinutesInMemory(), deps.clock),
    auditCounts: createAuditCounts(deps.store, deps.clock),
  } as unknown as OperationDeps;
  const log = pino({ level: 'silent' });
  const router = new Router();
  for (const route of FILES) {
    const run = async (checked: object) => {
      const { file } = ((await route.run(checked)) as Reply<string>).more;
      return new Reply('', { ...(file && { file: { ...file, lines: released() } }) });
    };
    router.get(route.path, internalPipeline(all, { ...route, run }, log));
  }
  const app = new Koa();
  app.silent = true;
  app.use(answerErrors(log, portalError)).use(router.routes());
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
test.after(() => {
  server?.close();
  server?.closeAllConnections();
});

async function* released(): AsyncGenerator<string> {
  let release: (line: string | null) => void = () => undefined;
  const fresh = () => new Promise<string | null>(resolve => (release = resolve));
  let waiting = fresh();
  written = { next: line => release(line) };
  for (;;) {
    const line = await waiting;
    if (line === null) return;
    waiting = fresh();
    yield line;
  }
}

/** Asks for a file, and reads its first page. */
async function begun(path: string, as: Session) {
  const { port } = server.address() as AddressInfo;
  const headers = { ...credentials(as) };
  const sending = request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
  const answered = once(sending, 'response');
  // The handler runs before the first line is asked for.
  const known = written;
  const refused = answered.then(([{ statusCode }]) => `answered ${statusCode}`);
  while (written === known) {
    const early = await Promise.race([refused, new Promise(turn => setImmediate(turn))]);
    assert.is(early, undefined);
  }
  written.next('first\n');
  const [incoming] = await answered;
  assert.is(incoming.statusCode, 200);
  incoming.setEncoding('utf8');
  const [first] = await once(incoming, 'data');
  return async () => {
    let text = first;
    incoming.on('data', (part: string) => {
      text += part;
    });
    // Not `once`, which throws if the connection ends.
    await new Promise(closed => incoming.on('error', () => undefined).on('close', closed));
    return { text, isWhole: incoming.complete };
  };
}

const ENDS: readonly [string, string | null, (as: Session, place: Place) => Promise<unknown> | undefined][] =
  [
    ['nothing happens', null, () => undefined],
    [
      'the operator is disabled',
      'unauthorized',
      as => store().updateOperator(as.id, { disabledAt: run.clock.now() }),
    ],
    ['the session is ended', 'unauthorized', as => store().endSessions(as.id, null)],
    [
      'they are removed from the team',
      null,
      (as, { team }) => store().setMember(team, as.id, null, run.clock.now()),
    ],
    [
      'they become a viewer',
      'forbidden',
      (as, { team }) => store().setMember(team, as.id, 'viewer', run.clock.now()),
    ],
    ['ten minutes are over', 'rate_limited', async () => run.clock.advance(LONGEST_STREAM)],
    ['the passkey was long ago', null, async () => run.clock.advance(LONGEST_STREAM - 1)],
  ];

for (const { path } of FILES)
  for (const [what, code, happens] of ENDS)
    test(`GET ${path}, when ${what}: ${code ?? 'as the others say'}`, async () => {
      const place = await placeIn(operators, 'Streams');
      const as = await operators.create({ teams: { [place.team]: 'owner' } });
      await operators.create({ teams: { [place.team]: 'owner' } });
      const rest = await begun(path.replace(':app', place.app).replace(':mode', 'live'), as);
      await happens(as, place);
      written.next('second\n');
      const isRemoved = what.includes('removed');
      const outcome = isRemoved ? (path.includes('audit') ? 'forbidden' : 'not_found') : code;
      const ending = rest();
      await new Promise(turn => setImmediate(turn));
      written.next(null);
      const { text, isWhole } = await ending;
      assert.is(isWhole, outcome === null);
      assert.is(text, outcome === null ? 'first\nsecond\n' : 'first\n');
      const [newest] = await store().listAudit({ actorId: as.id }, null, 1);
      assert.is(newest?.outcome, outcome ?? 'ok');
    });

test('a file that nobody reads on ends after ten minutes too', async () => {
  const place = await placeIn(operators, 'Stalled');
  const as = await operators.create({ teams: { [place.team]: 'owner' } });
  const rest = await begun(`/apps/${place.app}/live/users.csv`, as);
  run.clock.advance(LONGEST_STREAM);
  assert.is((await rest()).isWhole, false);
});

test('the list has who was there at its start, and the audit log what had happened', async () => {
  const app = await run.createApp();
  const gallery = { appId: app.id, mode: 'live' } as const;
  let people = 0;
  const enrol = () => enrolled(run, app, { descriptors: [faces.genuine(people++)] });
  await enrol();
  await enrol();
  const { deps } = operators.admin;
  /** Somebody enrolls, and somebody signs in, as soon as the file knows where it ends. */
  const busy: Pick<typeof deps.store, 'listUsers' | 'listAudit'> = {
    async listUsers(...asked) {
      const page = await deps.store.listUsers(...asked);
      run.clock.advance(1);
      if (asked[2] === 1) await enrol();
      return page;
    },
    async listAudit(...asked) {
      const page = await deps.store.listAudit(...asked);
      await operators.create();
      return page;
    },
  };
  const given = { ...deps, store: Object.assign(Object.create(deps.store), busy) } as OperationDeps;
  const text = async (lines: AsyncIterable<string>) => {
    let all = '';
    for await (const page of lines) all += page;
    return all.trim().split('\n').length;
  };
  assert.is(await text(peopleCsv(given, gallery).lines), 3, 'a line of headings, and two people');
  assert.is(await text(peopleJsonl(given, gallery).lines), 3, 'one more has enrolled meanwhile');
  const [admin] = await deps.store.listOperators({ id: (await operators.create({ isAdmin: true })).id });
  const before = (await deps.store.listAudit({}, 0, 1_000, 'oldest')).length;
  const signedIn = { operator: admin, teams: [] } as unknown as Parameters<typeof visibleAuditFile>[1];
  let entries = 0;
  for await (const page of visibleAuditFile(given, signedIn, {})) entries += page.length;
  assert.is(entries, before);
});

test.run();
