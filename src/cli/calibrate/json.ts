/** The result of a calibration for programs: the output of `calibrate --json`. */
import { STEP } from '../../calibration/comparisons.ts';
import type { GroupRates } from '../../calibration/groups.ts';
import type { Report, Spread } from '../../calibration/report.ts';
import { rateJson } from './figures.ts';
import { notesOn, type Source } from './notes.ts';

export function jsonOf(report: Report, source: Source): object {
  const { options, wanted, centring, genuine, impostor } = report;
  return {
    file: source.file,
    encoder: source.encoder,
    seed: options.seed,
    rule: options.rule,
    persons: report.persons,
    descriptors: report.descriptors,
    persons_with_one_descriptor: report.single,
    left_out: {
      of_persons_not_sampled: report.leftOut.byPerson,
      beyond_the_most_of_one_person: report.leftOut.beyondMost,
    },
    comparisons: {
      genuine: {
        made: genuine.comparisons,
        possible: genuine.possible,
        distances: spread(report.genuineSpread),
      },
      impostor: {
        made: impostor.comparisons,
        possible: impostor.possible,
        distances: spread(report.impostorSpread),
      },
    },
    fmr: rateJson(impostor.error),
    fnmr: rateJson(genuine.error),
    identification: {
      probes: report.probes,
      templates_per_person: report.templates,
      galleries: [
        ...report.identification.map(({ users, fpir, fnir, misidentified }) => ({
          users,
          fpir: rateJson(fpir),
          fnir: rateJson(fnir),
          misidentified,
          extrapolated: false,
        })),
        ...report.extrapolated.map(({ users, fpir, high }) => ({
          users,
          fpir: { rate: fpir, high },
          fnir: null,
          misidentified: null,
          extrapolated: true,
        })),
      ],
    },
    wanted: wanted && {
      fmr: wanted.wantedFmr,
      threshold: wanted.threshold,
      threshold_step: STEP,
      certainty: wanted.certainty,
      measured_fmr: rateJson(wanted.fmr),
      fnmr: rateJson(wanted.fnmr),
    },
    largest_gallery: report.largest.map(({ fpir, users, safeUsers }) => ({
      fpir,
      users,
      safe_users: safeUsers,
    })),
    centring: centring && {
      verdict: centring.verdict,
      centred: {
        persons: centring.persons,
        mean_of_other_persons: centring.meanOfOthers,
        impostor_distances: spread(centring.impostor),
        fmr: rateJson(centring.fmr),
        fnmr: rateJson(centring.fnmr),
      },
    },
    ...groupsOf(report),
    look_alikes: report.lookAlikes.map(({ labels, distance, next }) => ({
      persons: labels,
      distance,
      next_nearest: next,
    })),
    notes: notesOn(report, source),
  };
}

function spread(of: Spread | null): object | null {
  return of && { mean: of.mean, p01: of.low, median: of.median, p99: of.high };
}

function groupsOf({ groups: found }: Report): object {
  const rates = (at: GroupRates | null) =>
    at && { threshold: at.threshold, fmr: rateJson(at.fmr), fnmr: rateJson(at.fnmr) };
  return {
    groups:
      found?.groups.map(({ name, persons, descriptors, isFew, atThreshold, atWanted }) => ({
        group: name,
        persons,
        descriptors,
        few_persons: isFew,
        at_threshold: rates(atThreshold),
        at_wanted_fmr: rates(atWanted),
      })) ?? null,
    group_differences:
      found?.differences.map(({ group, what, rate, others }) => ({
        group,
        rate: what.toLowerCase(),
        in_group: rateJson(rate),
        in_others: rateJson(others),
      })) ?? null,
  };
}
