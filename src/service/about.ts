/** Versions and licences of the program's parts, for the command line. */
export { type Build, build, licences } from '../adapters/build.ts';
