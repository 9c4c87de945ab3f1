/** Runs the trial: `npm run forgeries -- [--count N] [--seed N]`. */
import { runTrial } from '../support/trial.ts';
import { trial } from './trial.ts';

process.exitCode = await runTrial('forgeries', trial, process.argv.slice(2));
