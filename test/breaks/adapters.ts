/** Breaks of the adapters. */
import type { Changes } from './break.ts';

// biome-ignore format: one row a break
export const adapters: Changes = {
  'src/adapters/journal/rotation.ts': [
    ['keys.rotation-whole', `{+if (!rotating.masterSecret) adoptNext(rotating.masterSecretFile);
    +}const keys = await driver.write(SERVICE, sql => rewrapKeys(sql, current, following, random));[-
    if (!rotating.masterSecret) adoptNext(rotating.masterSecretFile);-]`],
    ['keys.rotation-whole', '[-if (!rotating.masterSecret) await settleHeld(rotating.masterSecretFile, driver.read);-]'],
  ],
  'src/adapters/postgres/after-restore.ts': [
    ['nodes.after-restore-stopped', 'if (nodes.length > [-0-]{+1+})'],
    ['nodes.after-restore-journal', 'if ([-(await lackingOf(driver.read, -]erasures[-))-].length >{+=+} 0) return;'],
  ],
  'src/adapters/postgres/circuit-breaker.ts': [
    ['nodes.silent-writes', '[-if (!isOpen) -]return;'],
    ['nodes.silent-host', '[-if (!isOpen) opened()-]{+void opened+};'],
  ],
  'src/adapters/postgres/commits.ts': [['nodes.committed-locally', 'if ([-isLocal-]{+!client+})']],
  'src/adapters/postgres/connections.ts': [
    ['nodes.standby-not-read', '[-facts.standby || -]'],
    ['nodes.host-that-writes', "[- || facts.read_only === 'on'-]"],
    ['nodes.host-that-writes', 'at = (at + [-1-]{+0+}) % hosts.length'],
    ['nodes.frozen-node', 'IDLE_IN_TRANSACTION_MS = [-2_000-]{+60_000+}'],
    ['nodes.oldest-server', 'OLDEST_VERSION = [-15-]{+14+}'],
    ['nodes.encoding', "facts.encoding [-!== 'UTF8-]{+=== '+}'"],
    ['nodes.encoding', "['C', 'POSIX'{+, 'C.UTF-8'+}]"],
    ['nodes.own-isolation', '[--c default_transaction_isolation=read\\\\ committed -]'],
    ['nodes.own-isolation', '[- -c client_min_messages=warning-]'],
  ],
  'src/adapters/postgres/copy-database.ts': [
    ['nodes.copy', `[-  'auth_events',
-]`],
    ['nodes.copy-checked', 'if (![-arrived.ok-]{+master+} &&'],
    ['nodes.copy-into-empty', "[[-'apps', 'operators', 'signing_keys', 'audit_log'-]]"],
  ],
  'src/adapters/postgres/driver.ts': [
    ['nodes.committed-locally', 'await [-acknowledged(client, () => -]committed(statements)[-)-];'],
    ['nodes.lost-commit', 'if (!isConflict(error){+ && tries > 1+}) throw error;'],
    ['nodes.no-other-locks', "text: 'BEGIN{+ ISOLATION LEVEL SERIALIZABLE+}',"],
    ['nodes.silent-writes', 'isTimeout(reported)) {+void +}endAbandoned[-(client)-];'],
  ],
  'src/adapters/postgres/faults.ts': [['nodes.certificate', '|[-DEPTH_ZERO_|-]']],
  'src/adapters/postgres/journal.ts': [
    ['nodes.journal-whole', 'AGAIN_MS = [-600_000-]{+0+}'],
    ['nodes.journal-whole', 'WHERE seen_at >= $1 {+AND journaled = 0 +}ORDER'],
    ['nodes.journal-fails', '[-throw new-]{+void+} StoreUnavailable[-(error)-]{+, error+};'],
    ['nodes.restored-refused', 'if (lacking [->-]{+<+} 0)'],
  ],
  'src/adapters/postgres/leases.ts': [
    ['nodes.lease-one', `[-WHERE leases.owner = $2 OR leases.until <= \${NOW}-]`],
    ['nodes.lease-taken-over', `[- OR leases.until <= \${NOW}-]`],
    ['nodes.lease-taken-over', '[-Math.min(RENEW_MS, lengthMs / 3)-]{+600_000+}'],
    ['nodes.lease-length', 'LENGTH_MS = [-30_000-]{+300_000+}'],
    ['nodes.lease-lost', '[-if (performance.now() - renewedAt >= lengthMs) lost.abort(error);-]'],
  ],
  'src/adapters/postgres/locks.ts': [
    ['nodes.locks nodes.stale-enrolment', '[-FOR UPDATE-]`, values: [appId, mode]'],
    ['nodes.locks nodes.seal-holds-key', "apps WHERE id = $1[- FOR KEY SHARE-]'"],
    ['nodes.schema-once', 'SELECT [-pg_advisory_xact_lock($1-]{+CAST($1 AS INTEGER+})'],
  ],
  'src/adapters/postgres/migrations/002-portal.sql': [['nodes.audit-log', 'OLD.seq [->-]{+<+} (SELECT seq FROM audit_anchor)']],
  'src/adapters/postgres/minutes.ts': [
    ['nodes.minute-windows', '[-window.last += 1;-]'],
    ['nodes.minute-keys-hashed', "secrets[-.hash('minute-window', name)-]{+ && name+}"],
  ],
  'src/adapters/postgres/nodes.ts': [['nodes.listed', 'SEEN_MS = [-60_000-]{+61_000_000+}']],
  'src/adapters/postgres/open-store.ts': [
    ['nodes.one-request-limits', 'minutes: [-createSharedMinutes(driver, vault)-]{+null+},'],
    ['nodes.imports-one', "[-lockBy(driver, 'import', owner)-]{+async () => undefined+}"],
    ['nodes.imports-one', "[-lockBy(driver, 'rotation', owner)-]{+async () => undefined+}"],
    ['nodes.secret-required', 'if (!masterSecret && ![-existsSync(-]masterSecretFile)[-)-]'],
  ],
  'src/adapters/postgres/rewrite.ts': [
    ['nodes.rewritten-daily', `sql.run(\`VACUUM [-FULL -]\${table}\`)`],
    ['nodes.rewritten-daily', 'if (!lease) [-return-]{+throw new Error()+};'],
    ['nodes.rewrite-in-use', 'MOST_BYTES = [-64-]{+640+} *'],
  ],
  'src/adapters/postgres/rotation.ts': [['nodes.secret-environment', 'if (running.length > [-0-]{+1+})']],
  'src/adapters/postgres/shared-memory.ts': [
    ['nodes.signing-keys-at-once', `[-      await sql.run(RAISE_VERSION);
-]`],
    ['nodes.standby-not-read', '[- || first.standby-]'],
  ],
  'src/adapters/postgres/statements.ts': [
    ['nodes.ended-while-waiting', `[-last = ended.catch(error => {
      fault ??= error;
    });-]`],
    ['nodes.nul-unknown', `[-.replaceAll('\\0', '\\ufffd')-]`],
  ],
  'src/adapters/postgres/vacuum.ts': [
    ['nodes.vacuumed', `sql.run(\`[-VACUUM-]{+ANALYZE+} \${table}\`)`],
    ['nodes.vacuum-of-others', 'if (!isOwed[- && !owed-]) return;'],
  ],
  'src/adapters/sql/asked-together.ts': [
    ['nodes.shared-read', `const answers = await answerAll(asked.map(({ question }) => question));{+
        for (const { answer } of waiting.splice(0)) answer.resolve(answers[0] as Answer);+}`],
    ['nodes.gallery-never-remembered', `{+if (!isRunning || +}waiting.{+length === 0) waiting.+}push({ question, answer });{+
    else waiting[0]?.answer.promise.then(answer.resolve, answer.reject);+}`],
  ],
  'src/adapters/sql/examine/findings.ts': [['health.outgrown', "FROM users WHERE[- mode = 'live' AND-]"]],
  'src/adapters/sql/keys/guarded.ts': [['portal.planted-rows',
    'return row.mac [-!== null &&-]{+=== null ||+} row.mac === rowMac(secrets, table, row);']],
  'src/adapters/sql/keys/prepare.ts': [['nodes.secret-another', 'candidates[-.find(one => one.checkValue === value)-]{+[0]+}']],
  'src/adapters/sql/keys/vault.ts': [
    ['nodes.secret-rotated', 'const found = candidates().find(one => one.checkValue === value){+ ?? master+};'],
    ['nodes.secret-rotated', 'const found = candidates().find([-one => one.checkValue === value-]{+() => false+});'],
  ],
  'src/adapters/sql/memory.ts': [
    ['nodes.ask-before-memory', 'const current = {+mark ?? (+}await ask(){+)+};'],
    ['nodes.no-answer-no-trust', 'const current = await ask(){+.catch(() => mark)+};'],
  ],
  'src/adapters/sql/migrate.ts': [
    ['nodes.schema-newer', '{+Number.isFinite+}(await oldestProgram(sql))[- <= known.length-]'],
    ['nodes.schema-restart', 'driver.file [-=-]{+!+}== null && schemaOf'],
  ],
  'src/adapters/sql/migrations/001-service.sql': [['nodes.schema-additive', `{+ALTER TABLE windows RENAME COLUMN count TO counted;
+}CREATE TABLE event_days (`]],
  'src/adapters/sql/probing.ts': [['answers.health-after-failed-write', `      sql.[-run(
        \`INSERT INTO meta (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = ''\`,
      -]{+get(\`SELECT value FROM meta WHERE name = 'master_secret_check'\`+}),`]],
  'src/adapters/sql/restored.ts': [
    ['portal.restored', `[-  'recovery_codes',
-]`],
    ['nodes.after-restore', '[-await eraseAgain(context, journals, settling)-]{+0+}'],
  ],
  'src/adapters/sql/store.ts': [['encoder.restart',
    `  await context.{+driver.write(null as never, sql => sql.run('UPDATE galleries SET encoder = NULL'));
  await context.+}writeJournal().catch(() => undefined);`]],
  'src/adapters/sql/store/apps.ts': [
    ['import.unseen', 'FROM apps [-WHERE importing = 0 -]ORDER BY'],
    ['nodes.key-revoked-at-once', '[-writeAndForget(context, -]{+driver.write(+}ROWS, async'],
    ['nodes.schema-rolling', `\`SELECT [-\${KEY}-]{+*+} FROM api_keys WHERE`],
    ['nodes.key-uses', '[-[...uses].sort()-]{+uses+}'],
  ],
  'src/adapters/sql/store/codes.ts': [
    ['codes.used-once', `if (refused) return refused;[-
        await sql.run('DELETE FROM email_codes WHERE id = $1', code.id);-]`],
    ['codes.used-once', "await pending([-sql-]{+driver.read+}, user.id, 'sign-in', at)"],
    ['answers.change-wrong-lockout',
      'await countWrong(sql, change, [-attempt-]{+{ ...attempt, lockout: { ...lockout, limit: 0 } }+});'],
    ['tokens.first-verification-revokes', `[-          await revokeUnproven(sql, vault, user.id, at);
-]`],
    ['code-verify.asks-owner', 'if ([-user.faceInQuestion || (!user.emailVerified && attempt.asksOwner)-]{+false+})'],
    ['code-verify.unasked', 'if ([-user.faceInQuestion || (-]!user.emailVerified && attempt.asksOwner)[-)-]'],
    ['code-verify.ends-change', `[-        if (!user.emailVerified && !user.faceInQuestion) await retire(sql, user.id, 'change');
-]`],
    ['code-verify.first-verification',
      'firstVerification: [-!user.emailVerified && (!user.faceInQuestion || attempt.asksOwner === true)-]{+true+},'],
    ['verification.change-revokes-nothing', `        await setPerson(sql, vault, gallery, changed);{+
        await revokeUnproven(sql, vault, userId, at);+}
`],
    ['limit.user-failures-20', 'return [-knowsNetwork(sql, userId, known.network, at)-]{+false+};'],
    ['limit.user-failures-20', '[-if (await fullWindow(sql, lockout, at)) return false;-]'],
    ['limit.user-failures-20', '[-if (!user.emailVerified) await forgetNetworks(sql, user.id);-]'],
  ],
  'src/adapters/sql/store/context.ts': [
    ['nodes.origins-at-once nodes.changes-seen', 'if ([-!-]isGallery) await'],
    ['nodes.version-raised', `const answer = await work(sql);{+
      sql = driver.read;+}
`],
    ['nodes.lease-lost', 'work([-lease-]{+new AbortController()+}.signal)'],
  ],
  'src/adapters/sql/store/counters.ts': [
    ['limit.user-failures-20', '[from[-, ...ofNetworks.map(row => row.key)-]]'],
    ['nodes.deleted-app-gone',
      `SELECT [-app_id, mode-]{+id, CAST($2 AS TEXT)+}, CAST($3 AS TEXT), 1, CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT)
       FROM [-galleries WHERE app_id = $1 AND mode = $2-]{+apps WHERE id = $1+}
`],
  ],
  'src/adapters/sql/store/data-keys.ts': [
    ['keys.destroyed-unused', '[-if (isNeeded) return false;-]'],
    ['keys.destroyed-unused', 'for (const table of sealedTablesOf(owner){+.slice(0, 1)+})'],
    ['rows.unreadable-rekey-export', `  if (!clear) [-return 'unreadable'-]{+throw new Error('does not open')+};
`],
    ['nodes.seal-holds-key', 'SERVICE : [-ofApp(owner)-]{+SERVICE+}'],
  ],
  'src/adapters/sql/store/encoders.ts': [
    ['commands.encoder-set-refused', 'if ([-isOther && (await hasTemplates(sql, gallery))-]{+false+})'],
    ['commands.encoder-erase', '[-await driver.scrub(erased === 0);-]'],
    ['commands.encoder-erase', "'SELECT id, sequence FROM templates WHERE app_id = $1 AND [-mode-]{+$2+} = $2 ORDER"],
    ['commands.encoder-erase-whole', `      if (some.length === AT_ONCE) {+{
        await setEncoder(sql, gallery, null);
        +}return some.length;{+
      }+}`],
    ['encoder.optional', '[-encoder === null || -]named === null ||'],
    ['encoder.not-over-templates', '[-if (!(await hasTemplates(sql, gallery))) -]await setEncoder'],
    ['encoder.first-wins', 'SET encoder = $3 WHERE app_id = $1 AND mode [-=-]{+<>+} $2'],
    ['encoder.no-mixing', 'named === null || named{+.toLowerCase()+} === encoder'],
  ],
  'src/adapters/sql/store/erasure.ts': [
    ['events.tombstone', "[-await tombstone(sql, context, gallery.appId, gallery.mode, 'user_deleted', at);-]"],
    ['events.tombstone',
      "{+for (const mode of ['live', 'test']) +}await tombstone(sql, context, gallery.appId, [-gallery.-]mode, 'user_deleted', at);"],
    ['events.tombstone',
      "await [-tombstone-]{+insertEvent+}(sql, context, gallery[-.appId, gallery.mode, -]{+, { type: +}'user_deleted', at{+, userId: id }, null+});"],
    ['encoder.goes-with-app', `[-  await sql.run('DELETE FROM galleries WHERE app_id = $1', id);
-]`],
    ['nodes.large-apps', '      return [-to-]{+null+};'],
    ['outbox.erased', "[-await sql.run('DELETE FROM outbox WHERE user_id = $1', id);-]"],
  ],
  'src/adapters/sql/store/imports.ts': [['import.unseen', "WHERE importing [-<> 0-]{+= 2+})';"]],
  'src/adapters/sql/store/look-alikes.ts': [['matching.look-alikes', 'isLater [->-]{+<+} 0']],
  'src/adapters/sql/store/operator-sessions.ts': [['portal.session-ends',
    'WHERE hash = $1 AND [-ends_at > $2 AND seen_at -]{+$2 <+}> $3']],
  'src/adapters/sql/store/personal.ts': [
    ['rows.altered-address', '[of, appId, mode[-, id-]],'],
    ['outbox.planted', 'also: [[-type, -]at,'],
  ],
  'src/adapters/sql/store/profile.ts': [
    ['limit.templates-10', 'before [-+ templates.length -]- most,'],
    ['limit.failed-adds-of-user', "[-if (own?.taken === false) return { outcome: 'locked', endsAt: own.endsAt };-]"],
    ['encoder.201-records',
      `        [-else await rememberFirstEncoder(sql, gallery, state-]{+await sql.run('UPDATE galleries SET encoder = $1'+}, encoder);
`],
    ['encoder.no-mixing', 'const other = otherEncoder(state, [-encoder-]{+null+});'],
    ['encoder.anew', "const kind = [-most === null ? 'enrolled' : -]'learned';"],
    ['encoder.anew', `[-        else await rememberFirstEncoder(sql, gallery, state, encoder);
-]`],
    ['encoder.anew-once', `        [-if (state.sequence !== own.sequence) return { outcome: 'stale' };
        const before =-]{+const before = most === null ? 0 :+} await templateCount(sql, userId);
`],
  ],
  'src/adapters/sql/store/retention.ts': [
    ['nodes.interrupted-deletion', 'finishErasures: [-() => -]{+async () => void +}finishErasures[-(context)-]'],
    ['nodes.app-keys-forgotten', `[-        await context.vault.forgetGone(driver.read);
-]`],
  ],
  'src/adapters/sql/store/revocations.ts': [
    ['tokens.first-verification-spares', '[-proven ? jti : -]unprovenOf(vault, sub)'],
    ['tokens.first-verification-lasts', 'const KEPT = DAY{+ - DAY+};'],
  ],
  'src/adapters/sql/store/sealed-templates.ts': [['matching.user-numbers', '[-first ?? -](']],
  'src/adapters/sql/store/sign-in.ts': [
    ['match.400-challenge match.challenge-fresh order.challenge-before-search', 'refused: isGood {+|| !isGood +}?'],
    ['order.challenge-atomic',
      `const [-used-]{+good+} = await driver.[-writeOne(ROWS, \`\${CONSUME} RETURNING id\`, ...ofChallenge(-]{+read.get(
        'SELECT 1 FROM challenges WHERE id = $1 AND app_id = $2 AND mode = $3 AND expires_at > $4',
        id, gallery.appId, gallery.mode, now,
      );
      if (good) await driver.write(ROWS, sql => consumeChallenge(sql, +}id, gallery, now));
      return [-used.length === 1-]{+good !== undefined+};`],
    ['order.challenge-atomic',
      "challengeId === null || [-consumeChallenge(sql, challengeId, gallery, at-]{+sql.get('SELECT 1 FROM challenges WHERE id = $1', challengeId+})"],
    ['enroll.429-plan', `[-const refused = -]await countAuth(sql, gallery, auth, [-limited.taken ? -]'enrolls'[- : null);
        if (refused) return refused;-]{+);+}`],
    ['match.challenge-fresh', '[-challengeId === null || consumeChallenge(sql, challengeId, gallery, at)-]{+true+}'],
    ['tokens.first-verification-races', 'user: { ...user, {+emailVerified: false, +}lastSignInAt: at } };'],
    ['encoder.first-wins', `[-        await rememberFirstEncoder(sql, gallery, state, encoder);
-]`],
    ['encoder.201-records', `        if (other) return other;{+
        await rememberFirstEncoder(sql, gallery, state, encoder);+}`],
    ['encoder.race', `[-        if (other) return other;
-]`],
    ['encoder.at-once',
      'galleryState: {+(known => async (gallery: GalleryKey) => { const key = gallery.appId + gallery.mode; const state = await +}memory.galleryState[-,-]{+(gallery); if (!known.has(key)) known.set(key, state.encoder); return { ...state, encoder: known.get(key) ?? null }; })(new Map<string, string | null>()),+}'],
    ['limit.matches-60', 'const own = matches && {+!matches && +}(await'],
    ['nodes.others-challenges', "add(NEW_ROWS, '[- SKIP LOCKED-]')"],
  ],
  'src/adapters/sql/store/teams.ts': [['internal.removed-at-once',
    "sql.run('[-DELETE FROM-]{+UPDATE+} members {+SET added_at = 1 +}WHERE team_id = $1 AND operator_id = $2'"]],
  'src/adapters/sql/store/tokens.ts': [
    ['outbox.erased outbox.app-gone', 'if ([-await hasUser(sql, gallery, userId)-]{+userId+}) {'],
    ['tokens.too-soon-refused', 'if (kept.length > [-1-]{+2+} && !revokeOld)'],
    ['tokens.too-soon-refused', 'if ([-kept.length > 1-]{+published.some(old => old.signsAt > now)+} && !revokeOld)'],
    ['errors.token-revoked', "[-if (await isRevoked(driver.read, vault, token)) return 'revoked';-]"],
    ['nodes.version-raised', 'await [-writeAndForget(context, -]{+driver.write(+}SERVICE, async'],
  ],
  'src/adapters/sql/store/unexpired.ts': [['nodes.found-by-key', `\`\${column} [-+ 0 -]> \${now}\``]],
  'src/adapters/sql/store/users.ts': [
    ['fields.email-as-written',
      "sealFields(seal, { of: 'user', gallery: { appId, mode }, id }, [email{+.toLowerCase()+}, name]),"],
    ['fields.email-as-written', `    sealFields(seal, { of: 'user', gallery, id }, [email{+.toLowerCase()+}, name]),
    emailHash(vault, email),`],
    ['rows.altered-address', 'return [-isOther ? null : -]found;'],
    ['me.face-in-question', '[-if (!byFace) -]return;'],
  ],
  'src/adapters/sql/write-queue.ts': [['nodes.one-fails-alone', "else [-await commit([job]-]{+job.reject(new Error('lost')+});"]],
  'src/adapters/sqlite/driver.ts': [
    ['answers.health-after-failed-write', '[-if (fault) probing.noteWrite(false);-]'],
    ['answers.health-after-failed-write', `[-      probing.noteWrite(true);
    -]{+    +}} catch (error) {`],
  ],
  'src/adapters/transfer/age-file.ts': [
    ['import.refuses-altered',
      "    [-throw new TransferFault('the file is cut or damaged: copy it again', { cause: error })-]{+return+};"],
    ['import.price', 'if (Number(workFactor) > [-MAX_WORK_FACTOR-]{+99+})'],
    ['import.price', 'const MAX_WORK_FACTOR = [-18-]{+17+};'],
  ],
  'src/adapters/transfer/export-app.ts': [['transfer.encoder', 'live: [-encoders.live ?? -]null,']],
  'src/adapters/transfer/export-rows.ts': [
    ['export.nothing-clear', `[-    rmSync(path);
-]`],
    ['rows.unreadable-rekey-export', '    return {+false && +}!opens('],
  ],
  'src/adapters/transfer/import-rows.ts': [['transfer.encoder', 'insertGalleries(sql, id[-, app.encoders-])']],
  'src/adapters/wasm/perform.ts': [['matching.add-nobody-else-near', 'margins?.[[-search-]{+0+}]']],
};
