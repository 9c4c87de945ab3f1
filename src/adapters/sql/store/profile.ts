/** The account of a signed-in user, in SQL. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { ProfileStore } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';
import { countOf } from '../many-rows.ts';
import { ofGallery, ofUser } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { writeAndForget } from './context.ts';
import { countFailure, ownedBy, takeWindow, takeWindows } from './counters.ts';
import { otherEncoder, rememberFirstEncoder } from './encoders.ts';
import { addEvent } from './events.ts';
import {
  addTemplates,
  enrolledTemplates,
  galleryState,
  removeTemplates,
  type TemplateNames,
} from './galleries.ts';
import { tell, tellVerified } from './outbox.ts';
import { revokeUnproven } from './revocations.ts';
import { findUser, hasUser, refuseInQuestion, setPerson, setVerified } from './users.ts';

export function profileStore(context: StoreContext): ProfileStore {
  const { driver, vault } = context;
  return {
    async profileOf(gallery, id) {
      const user = await findUser(driver.read, vault, gallery, { id });
      const consent = await driver.read.get<{ policy_version: string; accepted_at: number }>(
        'SELECT policy_version, accepted_at FROM consents WHERE user_id = $1',
        id,
      );
      if (!user || !consent) return null;
      return {
        user,
        templateCount: await templateCount(driver.read, id),
        consent: { policyVersion: consent.policy_version, acceptedAt: consent.accepted_at },
      };
    },

    updateUser: (gallery, id, change) =>
      driver.write(ofUser(gallery, id), async sql => {
        await refuseInQuestion(sql, id, change);
        const user = await findUser(sql, vault, gallery, { id });
        if (!user) return null;
        if ('name' in change) {
          const renamed = { ...user, name: change.name };
          await setPerson(sql, vault, gallery, renamed);
          return renamed;
        }
        if (user.emailVerified) return user;
        await setVerified(sql, id);
        await revokeUnproven(sql, vault, id, change.faceConfirmedAt);
        await tellVerified(sql, context, gallery, change.faceConfirmedAt, id, change.issuedAt);
        return { ...user, emailVerified: true, faceInQuestion: false };
      }),

    enrolledTemplates: (gallery, userId) => enrolledTemplates(driver.read, vault, gallery, userId),

    addTemplates: own =>
      writeAndForget(context, ofGallery(own.gallery), async sql => {
        const { gallery, userId, at, origin, encoder, templates, most } = own;
        if (!(await hasUser(sql, gallery, userId))) return { outcome: 'user_gone' };
        await refuseInQuestion(sql, userId, own);
        const state = await galleryState(sql, gallery);
        const other = otherEncoder(state, encoder);
        if (other) return other;
        if (state.sequence !== own.sequence) return { outcome: 'stale' };
        const before = await templateCount(sql, userId);
        if (most !== null)
          await deleteOldestLearned(sql, gallery, userId, before + templates.length - most, at);
        else if (before > 0) return { outcome: 'has_some' };
        else await rememberFirstEncoder(sql, gallery, state, encoder);
        const kind = most === null ? 'enrolled' : 'learned';
        await addTemplates(sql, vault, gallery, userId, templates, kind, at);
        await addEvent(sql, context, gallery, { type: 'templates_added', at, userId, origin });
        const count = await templateCount(sql, userId);
        await tell(sql, context, gallery, at, {
          type: 'user.templates_added',
          data: { user_id: userId, added: templates.length, template_count: count },
        });
        return { outcome: 'stored', templateCount: count };
      }),

    // The scope covers the user, and windows of the gallery that are checked before they are increased.
    recordFailedAdd: ({ gallery, userId, at, origin, failures, refused, lockout }) =>
      driver.write(ofGallery(gallery), async sql => {
        if (!(await hasUser(sql, gallery, userId))) return { outcome: 'user_gone' };
        await addEvent(sql, context, gallery, { type: 'templates_refused', at, userId, origin });
        const counted = await takeWindows(sql, ownedBy(gallery, failures), at);
        if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
        const own = refused && (await takeWindow(sql, gallery.appId, refused, at));
        if (own?.taken === false) return { outcome: 'locked', endsAt: own.endsAt };
        await countFailure(sql, gallery.appId, lockout, at);
        return { outcome: 'recorded' };
      }),
  };
}

const templateCount = (sql: Sql, userId: string) => countOf(sql, 'templates WHERE user_id = $1', userId);

async function deleteOldestLearned(
  sql: Sql,
  gallery: GalleryKey,
  userId: string,
  surplus: number,
  at: number,
): Promise<void> {
  if (surplus <= 0) return;
  const oldest = await sql.all<TemplateNames>(
    `SELECT id, sequence FROM templates WHERE user_id = $1 AND origin = 'learned' ORDER BY sequence LIMIT $2`,
    userId,
    surplus,
  );
  await removeTemplates(sql, gallery, oldest, at);
}
