/** Breaks outside of the adapters. */
import type { Changes } from './break.ts';

// biome-ignore format: one row a break
export const core: Changes = {
  'assembly/coding.ts': [['matching.same-decision', 'LEAST_DEVIATION: f64 = 1e-[-6-]{+60+}']],
  'assembly/encode.ts': [['erasure.matcher-memory', 'index), 0, [-layout.FINE_BYTES-]{+4+});']],
  'assembly/gallery.ts': [['erasure.matcher-memory', 'index), 0, [-layout.VECTOR_BYTES-]{+4+});']],
  'assembly/recode.ts': [['matching.same-decision',
    'const isForward = [-fieldsOf(layout.codingAddress(gallery, target)).rows <= old.rows-]{+true+};']],
  'assembly/select.ts': [['matching.failure-near', '|| !(best < threshold + margin{+ / 2+})']],
  'src/cli/commands/apps.ts': [
    ['commands.encoder-reset', `[-      if (!erase && done.templates > 0) invocation.warn(warning(gallery, done));
-]`],
    ['commands.encoder-yes', 'if ([-erase && invocation.options.yes !== true-]{+false+})'],
  ],
  'src/cli/operating-fault.ts': [['commands.job-names', "[-if (field === 'job') return new WrongUsage(message);-]"]],
  'src/domain/access/operators.ts': [
    ['portal.own-email', "&& id === [-by-]{+''+}) throw ownAddress();"],
    ['portal.promote', '&& !operator.isAdmin && [-!-]promotes{+ && email === null+})'],
  ],
  'src/domain/access/own-passkeys.ts': [['portal.last-way-in', 'passkeys.length === [-1-]{+0+} &&']],
  'src/domain/access/recovery.ts': [['portal.recovery-limit',
    'throw [-await -]{+((...[, , , refusal]: Parameters<typeof +}failedRecovery{+>) => refusal)+}(']],
  'src/domain/access/rights.ts': [['portal.clock-ahead', 'return [-at <= now + ISSUED_AHEAD-]{+true+};']],
  'src/domain/codes/mail.ts': [
    ['codes.failed-send-older-too', '[-await store.retireCode(stored.id);-]'],
    ['codes.503', `[-if (known === 'failed')
    throw new Refusal('email_send_failed', 'The code could not be sent by email. Try again later.');-]`],
    ['codes.503', "return mailer ? 'failed' : '[-unavailable-]{+done+}';"],
  ],
  'src/domain/codes/sign-in.ts': [
    ['order.codes-email-limit', '[-await admitCodeRequest(deps, caller, email);-]'],
    ['codes.unproven-mail', '[-user.emailVerified ? null : user.createdAt-]{+null+}'],
    ['codes.proven-mail', 'user.[-emailVerified ? null : user.-]createdAt'],
  ],
  'src/domain/credentials.ts': [
    ['keys.secret-live-format', 'secret: [-32-]{+31+},'],
    ['keys.secret-live-format', "secret: '[-sk-]{+secret+}',"],
    ['localhost.test-publishable-alone', "const isTestPage = key.[-type === 'publishable' && key.-]mode === 'test';"],
    ['localhost.test-publishable-alone', "const isTestPage = key.type === 'publishable'[- && key.mode === 'test'-];"],
    ['enroll.403-origin',
      "if (origin[- !== undefined-]{+?.startsWith('https://')+} && app.allowedOrigins.[-includes(origin)-]{+length > 0+}) return;"],
  ],
  'src/domain/encoder.ts': [
    ['encoder.exact', 'remembered{+.trim()+} !== named[-)-]{+.trim())+}'],
    ['encoder.optional', `[-  if (named === undefined) return;
-]`],
    ['encoder.409', `these descriptors by [-"\${named}"-]{+another one+}`],
  ],
  'src/domain/enrolment.ts': [
    ['fields.email-as-written', 'email: request.email{+.toLowerCase()+},'],
    ['order.gallery-before-challenge', `  await [-deps.galleries.ready(caller.gallery);
  await -]consumeChallenge(deps, caller, request.challengeId);{+
  await deps.galleries.ready(caller.gallery);+}`],
    ['limit.daily-caps-last', `  await [-requireAdmission-]{+takeBudgets+}(deps, caller, [-faces); // 6-]{+'enroll', faces);+}
  await [-takeBudgets-]{+requireAdmission+}(deps, caller, [-'enroll', -]faces);`],
    ['matching.known-429', `if (recorded.outcome [-=== 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (-]{+!== 'recorded' && +}recorded.outcome !== '[-recorded-]{+window_full+}') return`],
    ['matching.known-429', `[-  await requireAdmission(deps, caller, faces); // 6
-]`],
    ['encoder.race-counts-nothing', `[-    await requireEncoder(deps, caller, request.encoder);
-]`],
    ['order.encoder-after-fields', `  [-await requireEncoder(deps, caller, request.encoder, request.descriptors); // 4b
  const policyVersion = requireConsent(request.consent-]{+const policyVersion = requireConsent(request.consent);
  await requireEncoder(deps, caller, request.encoder+});`],
    ['order.encoder-consumes-nothing', `[-  await requireEncoder(deps, caller, request.encoder, request.descriptors); // 4b
-]`],
    ['limit.plan-share', '[-limited: shareWindows(deps, caller),-]'],
    ['bodies.message-hides-value', `consent.policy_version: {+\${policy_version} does not +}name the notice shown`],
    ['enroll.400-consent', 'if (accepted [-!== true-]{+=== false+}) {'],
  ],
  'src/domain/requests.ts': [['limit.faces-in-request', '[-face.push(...unseen.filter(isOfFace));-]']],
  'src/domain/galleries/galleries.ts': [
    ['nodes.found-at-once nodes.gallery-before-search',
      'const [-{ sequence: wanted } = -]{+wanted = before || (+}await store.galleryState(gallery){+).sequence+};'],
    ['nodes.memory-forgets', 'if (wanted - reached <= SMALL_STEP) [-await catchUp(gallery, true)-]{+return+};'],
  ],
  'src/domain/limits/admission.ts': [
    ['limit.plan-share', '[-Math.floor((auths * settings.limitPlanSharePerIp) / 100)-]{+auths+}'],
    ['enroll.429-plan', '[-firstRefusal(requirePlan(deps, caller), -]requireRoom(deps, windows)[-)-]'],
    ['limit.daily-caps-last', `  if ([-what === 'match-]{+caller.gallery.mode === 'test+}') await [-takeAppBudget(deps, caller);
  else await takeEnroll-]{+takeTestCap+}(deps, caller, [-faces-]{+what+});
  if ([-caller.gallery.mode === 'test-]{+what === 'match+}') await [-takeTestCap-]{+takeAppBudget+}(deps, caller[-, what-]{+);
  else await takeEnroll(deps, caller, faces+});`],
    ['limit.matches-60', "gallery, 'matched-user', [-userId-]{+gallery.appId+})"],
    ['limit.failed-faces', 'events: [-failed, room: faces-]{+Math.min(1, failed)+}'],
    ['limit.plan-share-auths', '...addressWindows(deps, caller, ofDay){+, ...shareWindows(deps, caller)+}]'],
    ['limit.failed-faces-before', 'return count < [-fullAt(window)-]{+window.limit+} ?'],
    ['limit.failed-faces-day', 'limit: [-limitFailedFacesPerIpDay-]{+0+},'],
    ['limit.enroll-20', '({ ...window, [-events: faces, -]appId, message })'],
    ['limit.enroll-20', `[-  else await takeEnroll(deps, caller, faces);
-]`],
  ],
  'src/domain/limits/code-limits.ts': [
    ['limit.codes-shares-app-budget', '[-  await takeAppBudget(deps, caller);-]'],
    ['limit.codes-shares-app-budget',
      `  await [-takeAppBudget(deps, caller-]{+deps.windows.take(\`codes:\${appId}:\${mode}\`, deps.settings.limitAppPerMinute, 'Too many requests for codes.'+});`],
    ['limit.daily-caps-last', `  await {+takeDay(deps, caller);
  await +}takeWindows(deps, [{ appId, key, limit: CODES_PER_EMAIL, length: HOUR, message }]);[-
  await takeDay(deps, caller);-]`],
    ['limit.code-day-30', 'limit: [-deps.settings.limitCodePerIpDay-]{+0+},'],
  ],
  'src/domain/limits/lockout.ts': [
    ['limit.user-failures-20', 'longer: limit [-==-]{+>+}= 0 ? undefined'],
    ['limit.user-failures-20', `[-site ?? network.replace(/\\.\\d+$/, '.0/24')-]{+'everywhere'+}`],
  ],
  'src/domain/limits/minute-windows.ts': [['errors.rate-limited-limit', 'if (count > limit{+ + 1+})']],
  'src/domain/limits/request-limits.ts': [
    ['limit.sites', 'if (site [-!== null-]{+=== undefined+}) await windows'],
    ['limit.sites', 'site === null {+|| network +}? [of(network, 1)] : '],
    ['me.429', '[-settings.limitMePerMinute-]{+0+},'],
  ],
  'src/domain/me/email.ts': [['answers.change-wrong-lockout', 'lockout: lockoutOf(deps, caller, user.[-email-]{+id+}),']],
  'src/domain/me/face.ts': [
    ['me.face-in-question', '[-user.faceInQuestion && !isFromCode(claims)-]{+false+}'],
    ['me.face-confirm-otp', `  if ([-!isFromCode(claims)-]{+false+})
`],
  ],
  'src/domain/me/profile.ts': [['logout.repeat-401',
    '[-if (!(-]await Promise.all(revoking)[-).includes(true)) throw tokenRevoked()-];']],
  'src/domain/me/templates.ts': [
    ['order.gallery-before-challenge', `  await [-deps.galleries.ready(caller.gallery);
  await -]consumeChallenge(deps, caller, request.challengeId);{+
  await deps.galleries.ready(caller.gallery);+}`],
    ['limit.failed-adds-of-user', `  await [-requireFewRefusedAdds(deps, caller);
  await -]deps.galleries`],
    ['encoder.race-counts-nothing', `[-    await requireEncoder(deps, caller, request.encoder);
-]`],
    ['order.encoder-consumes-nothing', `[-  await requireEncoder(deps, caller, request.encoder, request.descriptors); // 4b
-]`],
    ['encoder.anew', 'return [-profile.templateCount === 0-]{+false+};'],
    ['encoder.anew-otp-only', `[-  if (!isFromCode(claims)) return false;
-]`],
    ['encoder.anew-none-left', 'return [-profile.templateCount === 0-]{+true+};'],
    ['encoder.anew-nobody-near', "return verdict === 'match' [-|| verdict === 'ambiguous' -]? null"],
    ['encoder.anew-nobody-near', 'await galleries.search(gallery, descriptors{+.slice(0, 2)+});'],
    ['matching.add-nobody-else-near', '[-otherDistance >= matchThreshold && -]'],
    ['matching.add-nobody-else-near', 'await deps.galleries.search(gallery, [descriptor][-, marginOfAll(deps)-]);'],
    ['matching.add-threshold-margin', '[- && otherDistance - best.distance >= matchMargin-]'],
    ['matching.add-in-limit', `[-  await requireFewFailures(deps, caller, facesIn(deps, request)); // 6
-]`],
    ['matching.add-in-limit', `    failures: [-failureWindows(deps, caller, facesIn(deps, request))-]{+[]+},
`],
  ],
  'src/domain/operating/encoder.ts': [['commands.encoder-show', '([-one => one.gallery.mode === mode-]{+() => true+})']],
  'src/domain/origins.ts': [
    ['localhost.ports', ':([-[1-9]\\d{0,4-]{+\\d{1,5+}})$/'],
    ['localhost.ports', 'Number(port) <= [-65_535-]{+65_536+}'],
  ],
  'src/domain/scores/size.ts': [['health.outgrown', 'if (encoder !== [-null && encoder !== -]CARRIED_ENCODER)']],
  'src/domain/scores/threshold.ts': [['health.outgrown', '[-row.threshold < below && -]']],
  'src/domain/scores/watch.ts': [['health.outgrown', "users === null[- || gallery.mode === 'test'-]"]],
  'src/domain/sign-in.ts': [
    ['matching.failure-near', 'lockout: [-near && lockoutOf(deps, caller, near.email)-]{+null+},'],
    ['matching.failure-near', "found.[-verdict === 'near' && found.-]best"],
    ['encoder.409', `[-    requireEncoder(deps, caller, request.encoder, request.descriptors), // 4b
-]`],
    ['order.encoder-after-fields',
      `    [-requireEncoder-]{+requireAdmission+}(deps, caller, [-request.encoder, request.descriptors), // 4b
    requireAdmission-]{+faces),
    requireEncoder+}(deps, caller, [-faces), // 6-]{+request.encoder),+}`],
    ['fields.confidence', 'const CONFIDENCE_STEPS = [-4-]{+100+};'],
    ['limit.matches-60', 'matchesOf: [-userId => matchWindow(deps, caller.gallery, userId)-]{+() => null+},'],
    ['limit.failed-faces', 'failures: [-failureWindows(deps, caller, faces, faces - 1)-]{+[]+},'],
    ['limit.plan-share-sign-ins',
      'failures: {+[...+}failureWindows(deps, caller, faces, faces - 1),{+ ...shareWindows(deps, caller)],+}'],
    ['limit.plan-share-sign-ins', '[-limited: shareWindows(deps, caller),-]'],
    ['order.challenge-before-search', `[-    requireChallenge(deps, caller, challengeId),
-]`],
  ],
  'src/domain/tokens/claims.ts': [
    ['claims.aud-test', "return {+mode === 'test' ? +}[AUDIENCE[-[mode]-]{+.test] : [AUDIENCE.live+}, appId];"],
    ['claims.aud-test', 'return [AUDIENCE[-[mode]-]{+.live+}, appId];'],
  ],
  'src/domain/tokens/signed-claims.ts': [['tokens.issued-ahead',
    '[-claims.iat * 1_000 <= deps.clock.now() + ISSUED_AHEAD-]{+true+}']],
  'src/domain/tokens/signing-keys.ts': [['nodes.away-key-set', '[-if (!(error instanceof StoreUnavailable)) -]throw error;']],
  'src/domain/tokens/user-token.ts': [
    ['logout.repeat-401', "if (standing === 'revoked') throw [-tokenRevoked(-]{+unauthorized('This token was signed out.'+});"],
    ['errors.token-revoked', "if (standing === 'revoked') throw [-tokenRevoked(-]{+unauthorized('The token was signed out.'+});"],
  ],
  'src/domain/usage.ts': [['answers.any-month',
    'month [-??-]{+!== undefined && month < current.month ? month :+} current.month;']],
  'src/domain/users.ts': [['erasure.matcher-memory', '[-await -]deps.galleries.refresh(gallery){+.catch(() => undefined)+};']],
  'src/health/answer.ts': [['nodes.listed', 'condition.nodes?.{+slice(1).+}map(nodeView)']],
  'src/health/problems.ts': [
    ['health.degraded', "return problems.length > [-0-]{+9+} ? 'degraded' : 'ok';"],
    ['nodes.clocks', 'MOST_OFFSET_MS = [-250-]{+300+}'],
    ['nodes.settings', 'groups.length > [-1-]{+2+}'],
  ],
  'src/http/app.ts': [['portal.internal', `const router = new Router({ strict: true, sensitive: true });{+
  router.get('/internal/apps', ctx => {
    ctx.body = { apps: [] };
  });+}`]],
  'src/http/body.ts': [['bodies.message-hides-value', `  } catch {+(error) +}{
    throw new Refusal('invalid_request', [-'-]{+\`+}body: is not well-formed JSON[-')-]{+: \${(error as Error).message}\`)+};`]],
  'src/http/errors.ts': [['nodes.away-503', 'unavailable([-UNAVAILABLE_RETRY_MS-]{+undefined as never+})']],
  'src/http/guards.ts': [['enroll.403-origin',
    "{+if (ctx.path !== '/v1/enroll') +}requireOrigin(credential, ctx.req.headers.origin);"]],
  'src/http/pipeline.ts': [
    ['order.consent-after-fields', `const {+{ consent } = input as { consent?: { accepted?: unknown } };
  if ('consent' in ((schema as { entries?: object }).entries ?? {}) && consent?.accepted !== true)
    throw new Refusal('consent_required', 'consent.accepted must be true.');
  const +}result = v.safeParse(schema, input, { abortEarly: true });`],
    ['order.codes-email-limit', `{+if (ctx.path === '/v1/email-codes' && bodySchema && !v.is(bodySchema, sent)) {
      const { admitCodeRequest } = await import('../domain/limits/code-limits.ts');
      await admitCodeRequest(deps, caller as Caller, String((sent as { email?: unknown }).email));
    }
    +}const body = bodySchema ? validated(bodySchema, sent) : undefined; // 4`],
    ['order.encoder-counts-request', `[-    for (const limit of limits) await limit(deps, caller); // 2
-]`],
  ],
  'src/http/routes/me.ts': [
    ['me.429', `schema: { body: matchBody },
    limits: [[-limitUser-]],`],
    ['limit.changes-in-codes', 'limits: [limitUser[-, limitCodeRequests-]]'],
    ['limit.changes-in-codes', 'limits: [limitUser[-, limitCodeVerifies-]]'],
  ],
  'src/http/routes/sign-in.ts': [['encoder.exact', `descriptors: descriptors(3),
  encoder: v.optional([-encoder-]{+v.pipe(encoder, v.trim())+}),`]],
  'src/http/well-formed.ts': [
    ['bodies.double-slash', `[-void -]{+ctx.path = +}ctx.path{+.replace(/^\\/+/, '/')+};`],
    ['bodies.double-slash', `[-void -]{+ctx.path = +}ctx.path{+.replace(/(?<=.)\\/+/g, '/')+};`],
  ],
  'src/jobs/jobs.ts': [
    ['commands.job-names', "name: '{+old-+}events',"],
    ['nodes.lease-lost', '[options.signal[-, lost-]]'],
  ],
  'src/operations/scores.ts': [['portal.size-advice', 'asks: [-asks?.-]threshold[- ?? null-],']],
  'src/operations/table/openapi.ts': [['internal.description-private', "needs: { who: '[-operator-]{+anybody+}' },"]],
  'src/portal/app.ts': [['portal.internal', `const router = new Router({ strict: true, sensitive: true });{+
  router.get('/internal/apps', ctx => {
    ctx.body = { apps: [] };
  });+}`]],
  'src/portal/metrics/metrics.ts': [['nodes.named-metrics', "if (nodeName [-!== null-]{+=== ''+})"]],
  'src/portal/try/page/code.js': [['portal.try-code', 'secret: SECRET, [-keyNotes, -]...choices']],
  'src/protocol/descriptors.ts': [
    ['errors.descriptor-count', '[- || list.length > most-]'],
    ['errors.descriptor-count', '[-list.length < 1 || -]'],
    ['bodies.message-hides-value', `message: [-'-]{+\`+}must be a finite number[-'-]{+, not \${number}\`+}`],
    ['limit.descriptors-128', 'descriptor.length [-!==-]{+<+} DIMENSIONS'],
    ['limit.descriptors-128', `descriptor.length [-!==-]{+>+} DIMENSIONS)[- {
    const isArray = Array.isArray(descriptor) || typeof descriptor !== 'object' || descriptor === null;
    const hint = isArray ? '' : ' (convert a typed array with Array.from)';
    -]{+
    +}return { at: [index], message: \`must be an array of [-exactly -]{+at most +}\${DIMENSIONS} numbers[-\${hint}\` };
  }
  -]{+\` };
  +}let largest = 0;
  for (let i = 0; i < [-DIMENSIONS-]{+descriptor.length+}; i++) {`],
  ],
  'src/protocol/errors.ts': [['errors.rate-limited-limit', 'rate_limited: [-429-]{+403+},']],
  'src/protocol/fields.ts': [
    ['bodies.message-hides-value',
      `v.regex(EMAIL, [-'-]{+({ input }) => \`+}must be one email address, [-with a dot in its domain'-]{+not \${input}\`+})`],
    ['bodies.message-hides-value', `v.regex(/^\\d{6}$/[-, 'must be the 6 digits from the email'-])`],
    ['enroll.400-consent', 'v.[-fallback(v.-]unknown(),[- null),-]'],
    ['fields.policy-version-length', '[...value].length <[-=-] POLICY_VERSION_LENGTH'],
    ['fields.policy-version-length', `  [-value !== '' &&
  -][...value].length <= POLICY`],
    ['fields.policy-version-length', '[-[...value]-]{+value+}.length <= POLICY_VERSION_LENGTH'],
    ['encoder.form', `\`^[ -~]{[-1-]{+0+},\${ENCODER_LENGTH}}$\``],
    ['encoder.form', `\`^[ -[-~-]{+\\x7f+}]{1,\${ENCODER_LENGTH}}$\``],
    ['encoder.form', `v.regex(ENCODER, [-ENCODER_RULE-]{+({ input }) => \`must be printable, not \${input}\`+})`],
    ['nodes.nul-refused', `  [-!value.includes('\\0')-]{+true+};`],
  ],
  'src/protocol/limits.ts': [
    ['limit.templates-10', 'TEMPLATES_PER_USER = [-10-]{+11+};'],
    ['fields.policy-version-length', 'export const POLICY_VERSION_LENGTH = [-100-]{+128+};'],
    ['encoder.form', 'ENCODER_LENGTH = [-100-]{+101+};'],
  ],
  'src/protocol/queries.ts': [
    ['limit.page-50', 'DEFAULT_USERS = [-50-]{+51+};'],
    ['limit.page-50', 'String([-preset-]{+most+})'],
    ['answers.any-month', `'must be a month, as YYYY-MM'),{+
      v.check(month => month <= new Date().toISOString().slice(0, 7), 'must not be in the future'),+}`],
    ['answers.any-month', 'v.regex(/^[-\\d{4-]{+20\\d{2+}}-(0'],
  ],
  'src/protocol/unseen.ts': [['portal.unseen', '\\\\[-u202A-\\\\u202E-]{+u202F+}']],
  'src/sdk/browser/faces.ts': [['sdk.encoder-sent', '[-...idOf(encoder), -]']],
  'src/sdk/browser/testing.ts': [['sdk.encoder-sent', `    id: [-''-]{+\`synthetic-\${seed}\`+},`]],
  'src/sdk/server/claims.ts': [['tokens.issued-ahead',
    '[-!(claims.iat * 1_000 <= time + Math.max(toleranceMs, ISSUED_AHEAD))-]{+false+}']],
  'src/service/data.ts': [['nodes.file-commands', `throw new NotAFile([-what-]{+\`\${what} \`+});`]],
  'src/service/typed-command.ts': [['portal.typed-command', "['SETTINGS_FILE', [-settingsFile-]{+null+}]"]],
  'src/settings/rules.ts': [['nodes.try-off', "database[-.kind !== 'sqlite'-]{+ === null+} && ["]],
};
