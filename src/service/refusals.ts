/** Refusals that the command line knows by their kind, apart from the code that throws them: that is loaded when it is needed. */
export { StoreMisfit } from '../ports/store.ts';
export { NotAFile } from '../ports/upkeep.ts';
