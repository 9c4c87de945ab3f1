/** Signing keys and revoked tokens in SQL. */
import { isPublished, type NewSigningKey, SIGNING_KEYS, type TokenStore } from '../../../ports/store.ts';
import { SECOND, SIGNING_KEY_NOTICE } from '../../../protocol/limits.ts';
import type { Sql } from '../driver.ts';
import { setTokensCountFrom, tokensCountFrom } from '../keys/meta.ts';
import { ofUser, SERVICE } from '../scope.ts';
import { appendDone } from './audit.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { tell, tokenData } from './outbox.ts';
import { isRevoked, revoke } from './revocations.ts';
import { privateHalf, SIGNING_KEYS_NAME, signingKeyContext, storedKeys } from './signing-keys.ts';
import { SLACK } from './unexpired.ts';
import { hasUser } from './users.ts';

export function tokenStore(context: StoreContext): TokenStore {
  const { driver, memory, vault } = context;
  async function insert(sql: Sql, key: NewSigningKey): Promise<void> {
    const seal = await vault.sealer(sql, SIGNING_KEYS);
    const sealed = seal(signingKeyContext(key.kid), Buffer.from(JSON.stringify(key.privateJwk)));
    await sql.run(
      'INSERT INTO signing_keys (kid, sealed, created_at, signs_at) VALUES ($1, $2, $3, $4)',
      key.kid,
      sealed,
      key.createdAt,
      key.signsAt,
    );
  }

  return {
    async signingKeys(now) {
      const { keys } = await memory.recall(SIGNING_KEYS_NAME, () => storedKeys(driver.read, vault));
      return keys.filter(key => isPublished(key, now));
    },

    openSigningKey: kid => privateHalf(driver.read, vault, kid),

    async addSigningKey(key, rotation, entry) {
      const isAdded = await writeAndForget(context, SERVICE, async sql => {
        const { keys } = await storedKeys(sql, vault);
        if (!rotation) {
          if (keys.length === 0) await insert(sql, key);
          return keys.length === 0;
        }
        const { now, keep, revokeOld } = rotation;
        const published = keys.filter(old => isPublished(old, now));
        // The rest was made by a clock that ran ahead. If all were, the first one signs nevertheless.
        const timely = published.filter(old => old.signsAt <= now + SIGNING_KEY_NOTICE + SLACK);
        const kept = timely.length > 0 ? timely : published.slice(0, 1);
        if (kept.length > 1 && !revokeOld) return false;
        for (const { kid } of published.filter(old => !kept.includes(old)))
          await sql.run('DELETE FROM signing_keys WHERE kid = $1', kid);
        if (revokeOld) {
          await sql.run('DELETE FROM signing_keys');
          await setTokensCountFrom(sql, Math.floor(now / SECOND));
        } else await sql.run('DELETE FROM signing_keys WHERE leaves_at <= $1', now);
        // An older key must never sign after a newer one, even if the clock was changed.
        await sql.run(
          'UPDATE signing_keys SET leaves_at = $1, signs_at = CASE WHEN signs_at < $2 THEN signs_at ELSE $2 - 1 END',
          key.signsAt + keep,
          key.signsAt,
        );
        await insert(sql, key);
        await appendDone(sql, vault, entry);
        return true;
      });
      if (rotation?.revokeOld) await driver.scrub();
      return isAdded;
    },

    // Of the user: after the erasure nobody is told of them, and nothing is sealed for an app that is gone.
    revokeToken: (gallery, { userId, ...token }, at) =>
      driver.write(ofUser(gallery, userId), async sql => {
        if (!(await revoke(sql, token.jti, token.expiresAt))) return false;
        if (await hasUser(sql, gallery, userId)) {
          const data = { user_id: userId, ...tokenData(token) };
          await tell(sql, context, gallery, at, { type: 'user.signed_out', data });
        }
        return true;
      }),

    async tokenStanding(gallery, token) {
      if (token.iat < (await memory.recall('tokens-count-from', () => tokensCountFrom(driver.read))))
        return 'revoked';
      if (await isRevoked(driver.read, vault, token)) return 'revoked';
      return (await hasUser(driver.read, gallery, token.sub)) ? 'good' : 'user_missing';
    },
  };
}
