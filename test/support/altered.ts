/** Loaded into a process before all else, to try it with something in its source replaced: see `alteredBy`. */
import { registerHooks } from 'node:module';

/** Each text has to be in the file once. */
export type Alteration = readonly [file: string, text: string, instead: string];

/** What a process is started with. */
export const alteredBy = (changes: readonly Alteration[]) => ({
  NODE_OPTIONS: `--import=${import.meta.filename}`,
  ALTERED: JSON.stringify(changes),
});

const changes: readonly Alteration[] = JSON.parse(process.env.ALTERED ?? '[]');
if (changes.length > 0)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const own = changes.filter(([file]) => url.endsWith(`/${file}`));
      if (own.length === 0) return loaded;
      let source = String(loaded.source);
      for (const [file, text, instead] of own) {
        if (source.split(text).length !== 2) throw new Error(`"${text}" is not once in ${file} any more`);
        source = source.replace(text, instead);
      }
      return { ...loaded, source };
    },
  });
