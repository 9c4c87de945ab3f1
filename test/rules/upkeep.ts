/** Backup, restore, the journal of erasures, and doctor. */
import type { Rule } from './rule.ts';

const BACKUP = 'test/cli/backup.test.ts › ';
const REFUSED = 'test/cli/restore-refusals.test.ts › refused, and the folder stays as it was: ';
const DOCTOR = 'test/cli/doctor.test.ts › ';
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
];
