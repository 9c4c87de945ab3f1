/** Backup, restore, the journal of erasures, and doctor. */
import type { Rule } from './rule.ts';

const BACKUP = 'test/cli/backup.test.ts › ';
const TAMPERED = 'test/cli/tampered-backup.test.ts › ';
const LIMITS = 'test/cli/transfer-limits.test.ts › ';
const REFUSED = 'test/cli/restore-refusals.test.ts › refused, and the folder stays as it was: ';
const DOCTOR = 'test/cli/doctor.test.ts › ';
const REKEY = 'test/cli/rekey.test.ts › ';
const SECRET = 'test/cli/master-secret.test.ts › ';
const CONTRACT = 'test/contract/sqlite.test.ts › SQLite: ';

// biome-ignore format: two lines a rule, so that it reads as a table
export const upkeepRules: readonly Rule[] = [
  { id: 'journal.keyed-hashes', from: 'decisions: Erasure and retention', rule: 'The journal notes each erasure as a keyed hash of the id, with its time.',
    test: `${CONTRACT}each erased user and app has a line with the time, and no line tells an id` },
  { id: 'journal.complete', from: 'decisions: Erasure and retention', rule: 'No erasure is missing from it, whatever happens in between.',
    test: [`${CONTRACT}a journal that cannot be written: the caller is told, and it is completed later`, `${CONTRACT}what a crash kept from the journal is there after the next start`, `${CONTRACT}40 erased at once are 40 lines, each once`] },
  { id: 'erasure.no-copies', from: 'decisions: Erasure and retention', rule: 'Copies that the engine makes when it moves rows go too.',
    test: [`${CONTRACT}an erasure in a small database takes copies of moved rows with it`, `${CONTRACT}the daily rebuild is made when something was erased since the last one`] },
  { id: 'backup.consistent', from: 'operating: Command line', rule: 'backup writes a consistent copy of a running database, and answers file and bytes.',
    test: `${BACKUP}users sign in again after a restore; tokens, challenges and windows of before do not count` },
  { id: 'backup.no-secret', from: 'decisions: Erasure and retention', rule: 'A backup never holds the master secret, and says so.',
    test: `${BACKUP}a backup is for its owner alone, holds no master secret and says so` },
  { id: 'restore.empty-folder', from: 'decisions: Erasure and retention', rule: 'restore is refused where there is a database.',
    test: [`${REFUSED}a folder with a database`, `${REFUSED}a folder with the log of a database`] },
  { id: 'restore.drops', from: 'decisions: Erasure and retention', rule: 'restore drops challenges, codes and windows.',
    test: `${BACKUP}users sign in again after a restore; tokens, challenges and windows of before do not count` },
  { id: 'restore.revokes', from: 'decisions: Erasure and retention', rule: 'Tokens issued before a restore count as revoked, later ones do not.',
    test: `${BACKUP}users sign in again after a restore; tokens, challenges and windows of before do not count` },
  { id: 'restore.journal-of-folder', from: 'decisions: Erasure and retention', rule: "restore repeats the erasures of the folder's journal.",
    test: `${BACKUP}users and apps erased since the backup are erased again, by the journal of the folder` },
  { id: 'restore.erasures-given', from: 'decisions: Erasure and retention', rule: "restore repeats the erasures of --erasures FILE, a backup's own journal included.",
    test: `${BACKUP}a journal, or a later backup, is given with --erasures and passed on to the new folder` },
  { id: 'restore.newer-program', from: 'decisions: Erasure and retention', rule: 'A database newer than the program is refused.',
    test: `${REFUSED}a backup of a newer program` },
  { id: 'doctor.checks', from: 'operating: Command line', rule: 'doctor checks settings, files, database, master secret, mail and clock, a line each.',
    test: `${DOCTOR}all is well: a line for each check, exit 0, and no file is made or left` },
  { id: 'doctor.exit', from: 'operating: Command line', rule: 'doctor exits 1 when any check fails.',
    test: ['a setting', 'a secret that others can read', 'no database', 'another secret', 'a mail server that is not there', 'a clock that was set back'].map(what => `${DOCTOR}found: ${what}`) },
  { id: 'health.degraded', from: 'operating: Settings (environment)', rule: 'The health of the portal tells of every problem, and is degraded then.',
    test: ['test/http/portal-health.test.ts › mail that does not go out is told, with since when', 'test/http/portal-health.test.ts › jobs that have not run in time are told, each, until they have'] },
  { id: 'health.unsafe-app', from: 'operating: Command line', rule: 'An app that surely has more users than the threshold is safe for is warned of once, and is a problem until it is safe.',
    test: ['test/http/scores.test.ts › faces with much in common: one warning that says what to do, and the figures', 'test/domain/scores-watch.test.ts › more users than is safe: warned once when it is sure, and again only after it was safe'] },
  { id: 'health.safety-states', from: 'operating: Command line', rule: 'A gallery is called unsafe only by the lower end of the estimate, and safe only by the estimate itself; between them nothing is claimed.',
    test: ['test/domain/scores-safety.test.ts › unsafe by the lower end, safe by the estimate, unclear between; the numbers are those of calibrate', 'test/domain/scores-safety.test.ts › an encoder with an FMR of 0.005 is unsafe from 20 users on: normal', 'test/domain/scores-safety.test.ts › an encoder with an FMR of 0.000011 is safe with 20 and 50 users, and for about 90: normal'] },
  { id: 'health.enrollments-refused', from: 'operating: Command line', rule: 'An app that refuses most enrollments as known faces is warned of; repeated ones where others get in are not.',
    test: ['test/http/scores.test.ts › raw descriptors: only the first person gets in, and the refused enrolments are noticed', 'test/http/scores.test.ts › repeated enrollments of enrolled people are no warning where others get in'] },
  { id: 'threshold.warned', from: 'operating: Settings (environment)', rule: 'A MATCH_THRESHOLD above the default is warned of by serve, doctor and health, and is no failure.',
    test: ['test/http/scores.test.ts › a threshold above the default: one warning at the start, and a problem', 'test/cli/doctor-threshold.test.ts › a threshold above the default is a warning, and no failure'] },
  { id: 'keys.destroyed-unused', from: 'operating: Command line', rule: 'An old key is destroyed only when nothing is sealed with it any more.',
    test: `${REKEY}an old key that something still needs is not destroyed` },
  { id: 'keys.rotation-whole', from: 'operating: Command line', rule: 'A rotation of the master secret is made as a whole: cut short anywhere, one secret opens everything.',
    test: [`${SECRET}killed before any step: the next command finds everything, with one secret`, `${SECRET}the present secret is not lost where two rotations are cut short, one in the middle of the other`] },
  { id: 'import.unseen', from: 'operating: Command line', rule: 'Nobody sees an app that is imported before its last row is there.',
    test: ['test/cli/half-imports.test.ts › nobody counts, lists or loads it', 'test/cli/half-imports.test.ts › no job erases its people by their age: they would count as erased here'] },
  { id: 'import.refuses-altered', from: 'operating: Command line', rule: 'An export that was altered or cut is refused, and nothing of it is written.',
    test: ['test/cli/transfer-damage.test.ts › a bit altered anywhere', 'test/cli/transfer-damage.test.ts › cut anywhere'] },
  { id: 'import.limits', from: 'operating: Command line', rule: 'An import takes no line that the API would not have stored, and names the line and the field.',
    test: ['more templates than a user can have, or learned ones alone, are refused', 'more test users than an app can have are refused', 'times that cannot be are refused, for every line that has one', 'what the API would not have stored is refused by its field'].map(what => `${LIMITS}${what}`) },
  { id: 'import.standing', from: 'operating: Command line', rule: 'An import shows what comes in before it writes, and takes plan and first-party from the operator alone.',
    test: [`${LIMITS}plan and first-party of a file are shown, and only the operator gives them`, `${LIMITS}what comes in is shown before any of it is written`] },
  { id: 'backup.no-planted-key', from: 'decisions: Tokens and keys', rule: 'API keys are stored as keyed hashes bound to app, type and mode: nobody who writes a backup plants or moves one.',
    test: ['a plain hash of a key of one’s own opens nothing, and the keys of before go on', 'a database that is dressed up as one from before does not have its plain hashes taken', 'a key of another app, type or mode stays what it was'].map(what => `${TAMPERED}${what}`) },
  { id: 'backup.keys-go-on', from: 'decisions: Tokens and keys', rule: 'API keys of a database from before they were keyed go on working.',
    test: `${TAMPERED}API keys of a database from before go on working, by hashes that are keyed from the first start on` },
  { id: 'backup.no-planted-public-key', from: 'decisions: Tokens and keys', rule: 'Public signing keys are taken from the opened private ones.',
    test: `${TAMPERED}a public key of one’s own is not published, and what it signs is invalid` },
  { id: 'rows.unreadable-left-out', from: 'decisions: Tokens and keys', rule: 'A sealed row that does not open is left out and told to operators; everybody else signs in.',
    test: ['templates that were changed or moved are left out, and everybody else signs in', 'without its app’s key no template opens, nor with one that was planted; the service goes on', 'signing keys that do not open are left out; where none is left, another one is made'].map(what => `test/cli/unreadable.test.ts › ${what}`) },
  { id: 'restore.private-draft', from: 'decisions: Erasure and retention', rule: 'A backup that is being put back can be read by its owner alone from its first byte.',
    test: ['test/domain/private-copy.test.ts › a copy is for this user alone while the original is still being read', 'test/domain/private-copy.test.ts › the draft of a restore is for this user alone before anything else happens to it'] },
  { id: 'export.nothing-clear', from: 'operating: Command line', rule: 'A killed export leaves nothing that can be read without the passphrase.',
    test: 'test/cli/transfer-crash.test.ts › killed before any step of an export, it leaves no export, and nothing that is to be read without the passphrase' },
];
