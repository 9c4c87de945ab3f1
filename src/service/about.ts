/** What the program is made of, and of whose work. */
export { type Build, build, licences } from '../adapters/build.ts';
