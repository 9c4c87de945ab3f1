/**
 * Makes a guess at the passphrase of an exported app cost nothing, where a test exports many: import it, or start a program with
 * `--import` of this file. What a guess really costs is in test/clients/age.test.ts and test/transfer/transfer.long.test.ts.
 */
import { Encrypter } from 'age-encryption';

const WORK_FACTOR = 10;
const real = Encrypter.prototype.setScryptWorkFactor;
Encrypter.prototype.setScryptWorkFactor = function () {
  real.call(this, WORK_FACTOR);
};
