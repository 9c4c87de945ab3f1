/** Email codes in SQL. */

import type { GalleryKey } from '../../../ports/matcher.ts';
import type { CodeAttempt, CodeStore, NewCode, NewEmailChange } from '../../../ports/store.ts';
import { WRONG_ATTEMPTS_PER_CODE } from '../../../protocol/limits.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { ofGallery, ofUser, ROWS } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { countAuth, countFailure, fullWindow, lockedUntil, moveFailures } from './counters.ts';
import { addEvent } from './events.ts';
import { forgetNetworks, knowsNetwork, remember } from './known-networks.ts';
import { issuedAt, tell, tellRevoked, tellSignIn, tellVerified } from './outbox.ts';
import { type NewEmail, openFields, sealFields } from './personal.ts';
import { revokeEarlier, revokeUnproven } from './revocations.ts';
import { unexpired } from './unexpired.ts';
import {
  emailTaken,
  findUser,
  hasUser,
  refuseInQuestion,
  setLastSignIn,
  setPerson,
  setVerified,
} from './users.ts';

type Kind = 'sign-in' | 'change';

interface CodeRow {
  id: string;
  hash: string;
  wrong: number;
  sealed: Uint8Array | null;
  new_lockout_key: string | null;
}

export function codeStore(context: StoreContext): CodeStore {
  const { driver, vault } = context;
  return {
    putCode: code =>
      driver.write(ofUser(code.gallery, code.userId), async sql => {
        const { gallery, userId } = code;
        if (!(await hasUser(sql, gallery, userId))) return 'user_gone';
        if ('email' in code) {
          await refuseInQuestion(sql, userId, code);
          if (await emailTaken(sql, vault, gallery, code.email, userId)) return 'email_taken';
        }
        await replace(sql, vault, code);
        return 'stored';
      }),

    async retireCode(id) {
      await driver.write(ROWS, sql => sql.run('DELETE FROM email_codes WHERE id = $1', id));
    },

    // Unknown addresses take the same way, so that their failures are counted the same.
    useCode: attempt =>
      driver.write(ofGallery(attempt.gallery), async sql => {
        const { gallery, userId, at, lockout, origin, auth, known } = attempt;
        const endsAt = await lockedUntil(sql, lockout, at);
        const isKnown = endsAt !== null && (await passes(sql, attempt));
        if (endsAt !== null && !isKnown) return { outcome: 'locked', endsAt };
        const user = userId === null ? null : await findUser(sql, vault, gallery, { id: userId });
        const code = user && (await pending(sql, user.id, 'sign-in', at));
        if (!user || code?.hash !== attempt.hash) {
          if (!(await countWrong(sql, code ?? null, attempt))) return { outcome: 'app_gone' };
          const event = { type: 'email_code_failed' as const, at, userId: user?.id ?? null, origin };
          await addEvent(sql, context, gallery, event);
          return endsAt === null ? { outcome: 'wrong' } : { outcome: 'locked', endsAt };
        }
        const refused = await countAuth(sql, gallery, auth, null);
        if (refused) return refused;
        await sql.run('DELETE FROM email_codes WHERE id = $1', code.id);
        if (!user.emailVerified) await forgetNetworks(sql, user.id);
        if (!user.emailVerified && !user.faceInQuestion) await retire(sql, user.id, 'change');
        const issued = Math.min(at, issuedAt(attempt.token));
        // A page that does not ask closes no question that another has opened.
        if (user.faceInQuestion || (!user.emailVerified && attempt.asksOwner)) {
          await setVerified(sql, user.id, 'faceInQuestion');
          await revokeEarlier(sql, vault, user.id, at);
          await tellRevoked(sql, context, gallery, at, user.id, issued);
        } else if (!user.emailVerified) {
          await setVerified(sql, user.id);
          await revokeUnproven(sql, vault, user.id, at);
          await tellVerified(sql, context, gallery, at, user.id, issued);
        }
        await setLastSignIn(sql, user.id, at);
        if (known) await remember(sql, gallery.appId, user.id, known);
        await addEvent(sql, context, gallery, { type: 'email_code', at, userId: user.id, origin });
        await tellSignIn(sql, context, gallery, at, user.id, 'email_code', attempt.token);
        return {
          outcome: 'signed_in',
          user: { ...user, emailVerified: true, faceInQuestion: false, lastSignInAt: at },
          firstVerification: !user.emailVerified && (!user.faceInQuestion || attempt.asksOwner === true),
        };
      }),

    // An address is unique in the whole gallery.
    confirmEmailChange: attempt =>
      driver.write(ofGallery(attempt.gallery), async sql => {
        const { gallery, userId, at, lockout, origin } = attempt;
        const user = await findUser(sql, vault, gallery, { id: userId });
        if (!user) return { outcome: 'user_gone' };
        await refuseInQuestion(sql, userId, attempt);
        const change = await pending(sql, userId, 'change', at);
        const email = change && (await newEmailOf(sql, vault, gallery, change));
        if (!change || !email || change.hash !== attempt.hash) {
          await countWrong(sql, change, attempt);
          await addEvent(sql, context, gallery, { type: 'email_change_failed', at, userId, origin });
          return { outcome: 'wrong' };
        }
        if (await emailTaken(sql, vault, gallery, email, userId)) return { outcome: 'email_taken' };
        const changed = { ...user, email, emailVerified: !user.faceInQuestion };
        await setPerson(sql, vault, gallery, changed);
        await sql.run('DELETE FROM email_codes WHERE user_id = $1', userId);
        const newKey = change.new_lockout_key;
        if (newKey && newKey !== lockout.key) await moveFailures(sql, gallery.appId, lockout.key, newKey, at);
        await addEvent(sql, context, gallery, { type: 'email_changed', at, userId, origin });
        await tell(sql, context, gallery, at, { type: 'user.email_changed', data: { user_id: userId } });
        if (changed.emailVerified && !user.emailVerified) {
          await revokeEarlier(sql, vault, userId, attempt.issuedAt - 1);
          await tellVerified(sql, context, gallery, at, userId, attempt.issuedAt);
        }
        return { outcome: 'applied', user: changed, before: user.email };
      }),
  };
}

/**
 * Whether a full window does not hold for this attempt: it is the longer one, which strangers of the user's own network
 * may have filled, and the user has signed in from there.
 */
async function passes(
  sql: Sql,
  { userId, at, lockout, known }: Parameters<CodeStore['useCode']>[0],
): Promise<boolean> {
  if (userId === null || !known) return false;
  if (await fullWindow(sql, lockout, at)) return false;
  return knowsNetwork(sql, userId, known.network, at);
}

async function replace(sql: Sql, vault: Vault, code: NewCode | NewEmailChange): Promise<void> {
  const { gallery, id, userId } = code;
  const change = 'email' in code ? code : null;
  const kind: Kind = change ? 'change' : 'sign-in';
  const seal = change && (await vault.sealer(sql, gallery.appId));
  await retire(sql, userId, kind);
  await sql.run(
    `INSERT INTO email_codes (user_id, kind, id, app_id, hash, wrong, expires_at, sealed, new_lockout_key)
     VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8)`,
    userId,
    kind,
    id,
    gallery.appId,
    code.hash,
    code.expiresAt,
    seal && sealFields(seal, { of: 'email-code', gallery, id }, [change.email]),
    change?.lockoutKey ?? null,
  );
}

async function retire(sql: Sql, userId: string, kind: Kind): Promise<void> {
  await sql.run('DELETE FROM email_codes WHERE user_id = $1 AND kind = $2', userId, kind);
}

async function pending(sql: Sql, userId: string, kind: Kind, now: number): Promise<CodeRow | null> {
  const row = await sql.get<CodeRow>(
    `SELECT id, hash, wrong, sealed, new_lockout_key FROM email_codes
     WHERE user_id = $1 AND kind = $2 AND ${unexpired('expires_at', '$3')}`,
    userId,
    kind,
    now,
  );
  return row ?? null;
}

/** The new address of a change of address. Null: it does not open. */
async function newEmailOf(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  { id, sealed }: CodeRow,
): Promise<string | null> {
  if (!sealed) return null;
  const row = { of: 'email-code', gallery, id } as const;
  const opened = await opening(vault.keys(sql, gallery.appId), async opener =>
    openFields<NewEmail>(opener, row, sealed),
  );
  return opened?.[0] ?? null;
}

/**
 * Counts a wrong attempt for the user (or the unknown address) and for the code, which the last attempt deletes.
 * @returns false if the app was erased
 */
async function countWrong(
  sql: Sql,
  code: CodeRow | null,
  { gallery, lockout, at }: CodeAttempt,
): Promise<boolean> {
  const taken = await countFailure(sql, gallery.appId, lockout, at);
  if (!code) return taken;
  if (code.wrong + 1 >= WRONG_ATTEMPTS_PER_CODE)
    await sql.run('DELETE FROM email_codes WHERE id = $1', code.id);
  else await sql.run('UPDATE email_codes SET wrong = wrong + 1 WHERE id = $1', code.id);
  return taken;
}
