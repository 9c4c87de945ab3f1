/**
 * The composition root: the only place that knows every part (test/repo/imports.test.ts). Turns a config into a wired
 * service.
 */
import { pino } from 'pino';
import { systemClock } from './adapters/system/system.ts';
import { timedMatcher } from './adapters/timed-matcher.ts';
import { createMatcher } from './adapters/wasm/pool.ts';
import type { Config } from './config.ts';
import { createAuditCounts } from './domain/access/audit-counts.ts';
import { linkByCommand } from './domain/access/operators.ts';
import { createBackground } from './domain/background.ts';
import type { Deps, DomainSettings } from './domain/deps.ts';
import { createReaders } from './domain/feeds/readers.ts';
import { createGalleries } from './domain/galleries/galleries.ts';
import { noticesIn } from './domain/galleries/notices.ts';
import { createKeyUses } from './domain/key-uses.ts';
import { clockAdvice, clockFault, knownTimeKeeper } from './domain/known-time.ts';
import { createMinuteWindows, MinutesInMemory } from './domain/limits/minute-windows.ts';
import { type DemoApp, makeDemoApp } from './domain/operating/demo.ts';
import { type StrayPlan, strayPlans } from './domain/plans.ts';
import { Refusal } from './domain/refusal.ts';
import { adviceOn } from './domain/scores/advice.ts';
import { thresholdWarning } from './domain/scores/threshold.ts';
import { createScoreWatch } from './domain/scores/watch.ts';
import { ensureSigningKey } from './domain/tokens/rotation.ts';
import { createSigningKeys } from './domain/tokens/signing-keys.ts';
import { createApp } from './http/app.ts';
import { requestFields, requestIds } from './http/every-answer.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { type Schedule, startJobs } from './jobs/schedule.ts';
import { createRefusalLog } from './operations/refusal-log.ts';
import { createPortal } from './portal/app.ts';
import { createGuestKeys } from './portal/try/guest-keys.ts';
import type { Matcher } from './ports/matcher.ts';
import { makeDataDir, openCore, type Parts } from './service/data.ts';
import { takeInstance } from './service/instance.ts';
import { addressOf, listenOr, listenPortal, portalUrlOf, tryAddresses } from './service/listening.ts';
import { logOutput } from './service/log-output.ts';
import { mailerOf } from './service/mailer.ts';
import { createOperations, type Operations, portalParts } from './service/operations.ts';
import { createPresence, offClock } from './service/presence.ts';
import { repeatedWork } from './service/repeated.ts';
import { shownCommand, systemUser } from './service/typed-command.ts';
import { createDelivering, threadedWebhookSender } from './service/webhooks.ts';
import { isMissing, vitalFileOf } from './settings/database.ts';
import { fullDisk } from './settings/disk.ts';
import { unwiseSettings } from './settings/rules.ts';
import { sharedSettings } from './settings/shared.ts';
import { isOnlyLocal } from './settings/values.ts';
import { CLI } from './typed.ts';
import { VERSION } from './version.ts';

/** How long a shutdown waits for unsent messages; then their codes are retired. */
const MAIL_DRAIN_MS = 8_000;

/** How long requests to the portal may take after all others have ended. */
const PORTAL_DRAIN_MS = 500;

/** A running service. */
export interface Started {
  /** The address that it listens on. */
  readonly api: string;
  readonly portal: string;
  /** Issuer of its tokens: its public address. */
  readonly issuer: string;
  /** The demo app, if this start has created it. Its keys are known only now. */
  readonly demo: DemoApp | null;
  /** Number of apps. */
  readonly apps: number;
  /** Nobody can sign in to the portal yet. */
  readonly needsOperator: boolean;
  /** Plans that apps have but PLANS_FILE lacks. */
  readonly strayPlans: readonly StrayPlan[];
}

export interface Service {
  /** Starts to serve requests. Rejects with ListenFault if an address cannot be used. */
  listen(): Promise<Started>;
  /** A new link for the first operator, who becomes an admin. Only for the eyes of whoever started the service. */
  setUpLink(): Promise<string>;
  /** Waits for running requests, then closes everything. */
  close(): Promise<void>;
}

/** If there is no database yet and an address cannot be used, rejects with ListenFault before creating anything. */
export function createService(config: Config, parts: Parts = {}): Promise<Service> {
  return wire(config, parts).catch(error => {
    throw fullDisk(error, vitalFileOf(config), config.masterSecretFile) ?? error;
  });
}

async function wire(config: Config, parts: Parts): Promise<Service> {
  const output = logOutput(parts.logTo ?? 1);
  const log =
    parts.log ??
    pino(
      {
        level: config.logLevel,
        base: null,
        formatters: { level: level => ({ level }) },
        mixin: requestFields,
      },
      output.stream,
    );
  // Closes the parts if a later one fails: open workers would keep the process alive.
  await using opened = new AsyncDisposableStack();
  // A start that cannot listen creates no database and no secret.
  if (isMissing(config.database)) await tryAddresses(config);
  makeDataDir(config);
  const operations = createOperations(config, parts.clock ?? systemClock);
  const { metrics } = operations;
  const mailer = opened.adopt(await mailerOf(config, log, operations.mailEnded), mail => mail?.close());
  opened.adopt(takeInstance(config), release => release());
  // Starts the matcher's threads while the database is opened, to save time.
  const opening = openMatcher(config, operations);
  // A failure is thrown below, unless the database fails first.
  opening.catch(() => undefined);
  opened.defer(async () => (await opening.catch(() => null))?.close());
  const admin = await openCore(config, parts);
  opened.defer(() => admin.store.close());
  const webhookSender = opened.adopt(threadedWebhookSender(config), sender => sender.close());
  const keepTime = knownTimeKeeper(admin);
  await keepTime();
  await ensureSigningKey(admin);
  const matcher = await opening;
  const settings: DomainSettings & { baseUrl: string } = { ...config, baseUrl: config.baseUrl ?? '' };
  const budgetBytes = config.matchMemoryBytes;
  const logNotice = noticesIn(log);
  const galleries = createGalleries({
    ...admin,
    matcher,
    budgetBytes,
    notice(what) {
      logNotice(what);
      operations.galleries.record(what);
    },
  });
  const windows = createMinuteWindows(admin.store.minutes ?? new MinutesInMemory(), admin.clock);
  const signingKeys = createSigningKeys(admin.store, admin.clock);
  // So that the key set can be served even if the database goes away before the first request for it.
  await signingKeys.published();
  const background = createBackground(fault => {
    if (!(fault instanceof Refusal)) log.error({ cause: String(fault) }, 'background work failed');
  });
  const scores = createScoreWatch(admin.store, matcher, config.matchThreshold, (finding, reason) => {
    const { fields, message } = adviceOn(finding, reason, config.matchThreshold);
    log.warn(fields, message);
  });
  const guests = createGuestKeys(admin, config.demo);
  const keyUses = createKeyUses(admin.store, admin.clock);
  const readers = createReaders(admin.store, () => performance.now());
  const deps: Deps = {
    ...admin,
    keyUses,
    readers,
    guestCredential: guests.find,
    settings,
    matcher,
    galleries,
    windows,
    signingKeys,
    scores,
    mailer,
    webhookSender,
    background,
  };

  const nextRequestId = requestIds(deps.random);
  const refusals = createRefusalLog(deps.clock);
  const auditCounts = createAuditCounts(deps.store, deps.clock);
  const api = createHttpServer(
    createApp(deps, {
      log,
      trustProxy: config.trustProxy,
      nextRequestId,
      watch: { ...metrics.requests, refused: refusals.record },
    }).callback(),
    nextRequestId,
    (requestId, code) => {
      metrics.requests.unreadable(code);
      log.info({ requestId, code }, 'no request');
    },
  );
  let isDraining = false;
  let schedule: Schedule | null = null;
  const portalAt = { url: config.portalUrl ?? '', cli: CLI };
  const portal = createPortal({
    ...portalParts(
      deps,
      operations.watch({
        clock: deps.clock,
        store: deps.store,
        matcher,
        galleries,
        scores,
        isDraining: () => isDraining,
      }),
      { portal: portalAt, scores, refusals, auditCounts, schedule: () => schedule },
    ),
    log,
    host: config.portalHost,
    trustProxy: config.portalTrustProxy,
    nextRequestId,
    guests,
    reading: { isOnlyLocal: isOnlyLocal(config), token: config.metricsToken },
  }).callback();
  const makePortalServer = () =>
    createHttpServer(portal, nextRequestId, (requestId, code) => log.info({ requestId, code }, 'no request'));
  let portalServers: readonly HttpServer[] = [];
  const presence = createPresence(
    deps.store.nodes,
    config.nodeName,
    () => sharedSettings(config, settings.baseUrl),
    systemClock,
    offClock(admin.clock, log, parts.clock === undefined),
  );
  const webhooks = createDelivering(deps, metrics.work.delivered, log);
  const kept = { keyUses, auditCounts, scores };
  const repeated = repeatedWork({ keepTime, deps, ...kept, presence, webhooks, operations, log });
  /** These end the background work. */
  const stops: (() => Promise<void>)[] = [];
  const closing = opened.move();

  return {
    async listen() {
      const { port } = await listenOr('api', api, config.host, config.port);
      const own = addressOf(config.host, port);
      settings.baseUrl ||= own;
      const operators = await listenPortal(makePortalServer, config.portalHost, config.portalPort);
      portalServers = operators.servers;
      portalAt.url = portalUrlOf(config, operators.port);
      portalAt.cli = shownCommand(config, portalAt.url);
      const addresses = { api: own, portal: portalAt.url, issuer: settings.baseUrl };
      log.info({ ...addresses, version: VERSION }, 'listening');
      const warning = thresholdWarning(config.matchThreshold);
      if (warning) log.warn({ threshold: config.matchThreshold, todo: warning.fix }, warning.message);
      const fault = await clockFault(deps);
      if (fault) {
        const { message, fix } = clockAdvice(fault, 'clock accept');
        log.error({ todo: fix }, message);
      }
      for (const { setting, message, fix } of unwiseSettings(config))
        log.warn({ setting, todo: fix }, message);
      schedule = startJobs(deps, log, operations.jobs);
      stops.push(schedule.stop, ...repeated.start());
      await repeated.tellNodes();
      const demo = config.demo ? await makeDemoApp(deps) : null;
      const apps = await deps.store.listApps();
      const { unreadableSigningKeys: unreadable, plantedRows: planted } = await deps.store.figures();
      if (unreadable > 0) log.error({ unreadable }, 'signing keys do not open and are left out: run doctor');
      if (planted > 0)
        log.error(
          { planted },
          'rows of the portal were written by somebody else and are refused: run doctor',
        );
      const stray = strayPlans(config.plans, apps);
      for (const each of stray) log.warn(each, 'a plan of apps is not in PLANS_FILE');
      const preloading = galleries
        .preload()
        .catch(error => log.error({ cause: String(error) }, 'preloading'));
      stops.push(() => preloading);
      const needsOperator = (await deps.store.listOperators()).length === 0;
      return { ...addresses, demo, apps: apps.length, needsOperator, strayPlans: stray };
    },

    async setUpLink() {
      const made = await linkByCommand({ ...admin, portal: portalAt }, systemUser(), null, {
        makesAdmin: true,
      });
      return made.url;
    },

    async close() {
      const began = performance.now();
      isDraining = true;
      if (stops.length > 0) log.info('draining');
      readers.close();
      await Promise.all([galleries.close(), api.close(), ...stops.map(stop => stop())]);
      await background.close(Math.max(0, MAIL_DRAIN_MS - (performance.now() - began)));
      await presence.leave();
      // Last, so that operators can watch the shutdown.
      await Promise.all(portalServers.map(server => server.close(PORTAL_DRAIN_MS)));
      await repeated.writeKept();
      await closing.disposeAsync();
      if (stops.length > 0) log.info('closed');
      await output.finish();
    },
  };
}

async function openMatcher(config: Config, { metrics: { work } }: Operations): Promise<Matcher> {
  const { matchThreads: threads, matchThreshold: threshold, matchMargin: margin } = config;
  return timedMatcher(
    await createMatcher({ threads, threshold, margin, onPass: work.passed }),
    work.searched,
  );
}
