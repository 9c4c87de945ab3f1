/** How the safety of an app is answered. */
import { adviceOn } from '../domain/scores/advice.ts';
import { sizeOfApp } from '../domain/scores/size.ts';
import { CARRIED, CARRIED_FPIR } from '../domain/scores/threshold.ts';
import type { Finding } from '../domain/scores/watch.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { scoreAnswer } from '../protocol/portal/answers/numbers.ts';
import type { OperationDeps } from './table/deps.ts';
import type { Shown } from './table/operation.ts';

type Scores = Shown<typeof scoreAnswer>;

export async function scoresOf(deps: OperationDeps, gallery: GalleryKey): Promise<Scores> {
  const { settings, findings } = deps;
  const { appId, mode } = gallery;
  const finding = findings().find(({ gallery }) => gallery.appId === appId && gallery.mode === mode);
  const { safety, estimate, enrolments } = finding ?? NOTHING;
  return {
    threshold: settings.matchThreshold,
    margin: settings.matchMargin,
    state: safety.state,
    users: safety.users,
    safe_users: safety.safeUsers,
    safe_users_interval: estimate && [safety.safeUsersLow, safety.safeUsersHigh],
    estimate: estimate && {
      users: estimate.users,
      pairs: estimate.pairs,
      fmr: estimate.fmr,
      fmr_low: estimate.low,
      fmr_high: estimate.high,
      mean_distance: estimate.meanDistance,
    },
    enrolments: { seen: enrolments.seen, refused: enrolments.refused },
    advice: (finding?.unsafe ?? []).map(reason => {
      const { message, fields } = adviceOn(finding as Finding, reason, settings.matchThreshold);
      return { message, todo: String(fields.todo) };
    }),
    size: mode === 'test' ? null : await sizeOf(deps, gallery, safety),
  };
}

/** Counted now: the watch only counts while a gallery is loaded. */
async function sizeOf(
  { settings: { matchThreshold: threshold }, store }: OperationDeps,
  gallery: GalleryKey,
  safety: Finding['safety'],
): Promise<Scores['size']> {
  const [users, { encoder }] = await Promise.all([store.countUsers(gallery), store.galleryState(gallery)]);
  const { state, carries, asks } = sizeOfApp(users, encoder, threshold, safety);
  return {
    state,
    users,
    encoder,
    carries,
    asks: asks?.threshold ?? null,
    fpir: CARRIED_FPIR,
    table: CARRIED,
  };
}

const NOTHING: Pick<Finding, 'safety' | 'estimate' | 'enrolments'> = {
  safety: { state: 'unknown', users: null, safeUsers: null, safeUsersLow: null, safeUsersHigh: null },
  estimate: null,
  enrolments: { seen: 0, refused: 0 },
};
