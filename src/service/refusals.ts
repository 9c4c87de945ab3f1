/** Error classes that the command line checks for. They are separate, so that their throwers need not be loaded. */
export { StoreMisfit } from '../ports/store.ts';
export { NotAFile } from '../ports/upkeep.ts';
