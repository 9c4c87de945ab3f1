/** Versions and licences of the program's parts, for the command line. */
export { build, licences } from '../adapters/build.ts';
