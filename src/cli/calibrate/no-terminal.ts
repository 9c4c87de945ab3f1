/** In place of `node:util` in browsers: there is no terminal there, and nothing to strip for one. */
export const stripVTControlCharacters = (text: string): string => text;
export const styleText = (_style: string, text: string): string => text;
