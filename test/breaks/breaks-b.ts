/** Rules broken in the source, one row each. */
import type { Break } from './break.ts';

const APP_ROUTER = 'const router = new Router({ strict: true, sensitive: true });';

// biome-ignore format: one row a break, so that it reads as a table
export const BREAKS_B: readonly Break[] = [
  { rule: 'order.gallery-before-challenge', file: 'src/domain/enrolment.ts',
    find: `  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);`,
    replace: `  await consumeChallenge(deps, caller, request.challengeId);
  await deps.galleries.ready(caller.gallery);` },
  { rule: 'order.gallery-before-challenge', file: 'src/domain/me/templates.ts',
    find: `  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);`,
    replace: `  await consumeChallenge(deps, caller, request.challengeId);
  await deps.galleries.ready(caller.gallery);` },
  { rule: 'localhost.test-publishable-alone', file: 'src/domain/credentials.ts',
    find: `const isTestPage = key.type === 'publishable' && key.mode === 'test';`,
    replace: `const isTestPage = key.mode === 'test';` },
  { rule: 'localhost.test-publishable-alone', file: 'src/domain/credentials.ts',
    find: `const isTestPage = key.type === 'publishable' && key.mode === 'test';`,
    replace: `const isTestPage = key.type === 'publishable';` },
  { rule: 'enroll.403-origin', file: 'src/http/guards.ts',
    find: 'requireOrigin(credential, ctx.req.headers.origin);',
    replace: `if (ctx.path !== '/v1/enroll') requireOrigin(credential, ctx.req.headers.origin);` },
  { rule: 'enroll.403-origin', file: 'src/domain/credentials.ts',
    find: 'if (origin !== undefined && app.allowedOrigins.includes(origin)) return;',
    replace: `if (origin?.startsWith('https://') && app.allowedOrigins.length > 0) return;` },
  { rule: 'codes.failed-send-older-too', file: 'src/domain/codes/delivery.ts',
    find: 'await store.retireCode(stored.id);',
    replace: '' },
  { rule: 'codes.503', file: 'src/domain/codes/delivery.ts',
    find: `if (known === 'failed')
    throw new Refusal('email_send_failed', 'The code could not be sent by email. Try again later.');`,
    replace: '' },
  { rule: 'codes.503', file: 'src/domain/codes/delivery.ts',
    find: `return mailer ? 'failed' : 'unavailable';`,
    replace: `return mailer ? 'failed' : 'done';` },
  { rule: 'tokens.too-soon-refused', file: 'src/adapters/sql/store/tokens.ts',
    find: 'if (kept.length > 1 && !revokeOld)',
    replace: 'if (kept.length > 2 && !revokeOld)' },
  { rule: 'tokens.too-soon-refused', file: 'src/adapters/sql/store/tokens.ts',
    find: 'if (kept.length > 1 && !revokeOld)',
    replace: 'if (published.some(old => old.signsAt > now) && !revokeOld)' },
  { rule: 'limit.daily-caps-last', file: 'src/domain/enrolment.ts',
    find: `  await requireAdmission(deps, caller, faces); // 6
  await takeBudgets(deps, caller, 'enroll', faces);`,
    replace: `  await takeBudgets(deps, caller, 'enroll', faces);
  await requireAdmission(deps, caller, faces);` },
  { rule: 'limit.daily-caps-last', file: 'src/domain/limits/admission.ts',
    find: `  if (what === 'match') await takeAppBudget(deps, caller);
  else await takeEnroll(deps, caller, faces);
  if (caller.gallery.mode === 'test') await takeTestCap(deps, caller, what);`,
    replace: `  if (caller.gallery.mode === 'test') await takeTestCap(deps, caller, what);
  if (what === 'match') await takeAppBudget(deps, caller);
  else await takeEnroll(deps, caller, faces);` },
  { rule: 'limit.daily-caps-last', file: 'src/domain/limits/code-limits.ts',
    find: `  await take(deps, [{ appId, key, limit: CODES_PER_EMAIL, length: HOUR, message }]);
  await takeDay(deps, caller);`,
    replace: `  await takeDay(deps, caller);
  await take(deps, [{ appId, key, limit: CODES_PER_EMAIL, length: HOUR, message }]);` },
  { rule: 'portal.internal', file: 'src/portal/app.ts',
    find: APP_ROUTER,
    replace: `${APP_ROUTER}
  router.get('/internal/apps', ctx => {
    ctx.body = { apps: [] };
  });` },
  { rule: 'portal.internal', file: 'src/http/app.ts',
    find: APP_ROUTER,
    replace: `${APP_ROUTER}
  router.get('/internal/apps', ctx => {
    ctx.body = { apps: [] };
  });` },
  { rule: 'errors.rate-limited-limit', file: 'src/domain/limits/minute-windows.ts',
    find: 'if (count > limit)',
    replace: 'if (count > limit + 1)' },
  { rule: 'errors.rate-limited-limit', file: 'src/protocol/errors.ts',
    find: 'rate_limited: 429,',
    replace: 'rate_limited: 403,' },
  { rule: 'bodies.double-slash', file: 'src/http/well-formed.ts',
    find: 'void ctx.path;',
    replace: `ctx.path = ctx.path.replace(/^\\/+/, '/');` },
  { rule: 'bodies.double-slash', file: 'src/http/well-formed.ts',
    find: 'void ctx.path;',
    replace: `ctx.path = ctx.path.replace(/(?<=.)\\/+/g, '/');` },
  { rule: 'fields.policy-version-length', file: 'src/protocol/limits.ts',
    find: 'export const POLICY_VERSION_LENGTH = 100;',
    replace: 'export const POLICY_VERSION_LENGTH = 128;' },
  { rule: 'fields.policy-version-length', file: 'src/protocol/fields.ts',
    find: '[...value].length <= POLICY_VERSION_LENGTH',
    replace: '[...value].length < POLICY_VERSION_LENGTH' },
  { rule: 'fields.policy-version-length', file: 'src/protocol/fields.ts',
    find: "  value !== '' &&\n  [...value].length <= POLICY",
    replace: '  [...value].length <= POLICY' },
  { rule: 'fields.policy-version-length', file: 'src/protocol/fields.ts',
    find: '[...value].length <= POLICY_VERSION_LENGTH',
    replace: 'value.length <= POLICY_VERSION_LENGTH' },
  { rule: 'codes.used-once', file: 'src/adapters/sql/store/codes.ts',
    find: `if (refused) return refused;
        await sql.run('DELETE FROM email_codes WHERE id = $1', code.id);`,
    replace: 'if (refused) return refused;' },
  { rule: 'codes.used-once', file: 'src/adapters/sql/store/codes.ts',
    find: `await pending(sql, user.id, 'sign-in', at)`,
    replace: `await pending(driver.read, user.id, 'sign-in', at)` },
  { rule: 'match.challenge-fresh', file: 'src/adapters/sql/store/sign-in.ts',
    find: 'refused: isGood ?',
    replace: 'refused: isGood || !isGood ?' },
  { rule: 'match.challenge-fresh', file: 'src/adapters/sql/store/sign-in.ts',
    find: 'challengeId === null || consumeChallenge(sql, challengeId, gallery, at)',
    replace: 'true' },
  { rule: 'order.consent-after-fields', file: 'src/http/pipeline.ts',
    find: 'const result = v.safeParse(schema, input, { abortEarly: true });',
    replace: `const { consent } = input as { consent?: { accepted?: unknown } };
  if ('consent' in ((schema as { entries?: object }).entries ?? {}) && consent?.accepted !== true)
    throw new Refusal('consent_required', 'consent.accepted must be true.');
  const result = v.safeParse(schema, input, { abortEarly: true });` },
  { rule: 'order.codes-email-limit', file: 'src/domain/codes/request.ts',
    find: 'await admitCodeRequest(deps, caller, email);',
    replace: '' },
  { rule: 'order.codes-email-limit', file: 'src/http/pipeline.ts',
    find: 'const body = bodySchema ? validated(bodySchema, sent) : undefined; // 4',
    replace: `if (ctx.path === '/v1/email-codes' && bodySchema && !v.is(bodySchema, sent)) {
      const { admitCodeRequest } = await import('../domain/limits/code-limits.ts');
      await admitCodeRequest(deps, caller as Caller, String((sent as { email?: unknown }).email));
    }
    const body = bodySchema ? validated(bodySchema, sent) : undefined; // 4` },
  { rule: 'erasure.matcher-memory', file: 'assembly/gallery.ts',
    find: 'memory.fill(vector, 0, VECTOR_BYTES);',
    replace: 'memory.fill(vector, 0, 4);' },
  { rule: 'erasure.matcher-memory', file: 'src/domain/users.ts',
    find: 'await galleries.refresh(gallery);',
    replace: 'galleries.refresh(gallery).catch(() => undefined);' },
  { rule: 'matching.known-429', file: 'src/domain/enrolment.ts',
    find: `if (recorded.outcome === 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (recorded.outcome !== 'recorded') return`,
    replace: `if (recorded.outcome !== 'recorded' && recorded.outcome !== 'window_full') return` },
  { rule: 'matching.known-429', file: 'src/domain/enrolment.ts',
    find: '  await requireAdmission(deps, caller, faces); // 6\n',
    replace: '' },
  { rule: 'answers.change-wrong-lockout', file: 'src/adapters/sql/store/codes.ts',
    find: 'await countWrong(sql, change, attempt);',
    replace: 'await countWrong(sql, change, { ...attempt, lockout: { ...lockout, limit: 0 } });' },
  { rule: 'answers.change-wrong-lockout', file: 'src/domain/me/email.ts',
    find: 'lockout: lockoutOf(deps, caller, user.email),',
    replace: 'lockout: lockoutOf(deps, caller, user.id),' },
  { rule: 'matching.failure-near', file: 'src/domain/sign-in.ts',
    find: 'lockout: near && lockoutOf(deps, caller, near.email),',
    replace: 'lockout: null,' },
  { rule: 'matching.failure-near', file: 'src/domain/sign-in.ts',
    find: "found.verdict === 'near' && found.best",
    replace: 'found.best' },
  { rule: 'matching.failure-near', file: 'assembly/select.ts',
    find: '|| !(best < threshold + margin)',
    replace: '|| !(best < threshold + margin / 2)' },
  { rule: 'errors.token-revoked', file: 'src/domain/tokens/user-token.ts',
    find: `if (standing === 'revoked') throw tokenRevoked();`,
    replace: `if (standing === 'revoked') throw unauthorized('The token was signed out.');` },
  { rule: 'errors.token-revoked', file: 'src/adapters/sql/store/tokens.ts',
    find: `if (await isRevoked(driver.read, vault, token)) return 'revoked';`,
    replace: '' },
];
