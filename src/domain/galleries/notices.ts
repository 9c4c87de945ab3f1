/**
 * Log lines about loading galleries: app, mode, number of templates and duration; nothing about a person. Held by
 * test/http/gallery-loading.long.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';

export type GalleryNotice = { readonly gallery: GalleryKey } & (
  | { readonly what: 'loading'; readonly loaded: number; readonly total: number }
  | { readonly what: 'loaded'; readonly templates: number; readonly ms: number }
  | { readonly what: 'failed'; readonly cause: unknown }
  /** This many templates of a load cannot be decrypted and were left out. */
  | { readonly what: 'unreadable'; readonly templates: number }
  /** `isRefused`: the gallery was not loaded. Otherwise it is loaded and has grown. */
  | { readonly what: 'too_large'; readonly templates: number; readonly isRefused: boolean }
);

interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, string | number>>;
  readonly message: string;
}

type Log = Readonly<Record<LogLine['level'], (fields: object, message: string) => void>>;

export function noticesIn(log: Log): (notice: GalleryNotice) => void {
  return notice => {
    const { level, fields, message } = logLineOf(notice);
    log[level](fields, message);
  };
}

function logLineOf(notice: GalleryNotice): LogLine {
  const { appId, mode } = notice.gallery;
  const gallery = { app_id: appId, mode };
  switch (notice.what) {
    case 'loading': {
      const { loaded, total } = notice;
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((loaded / total) * 100));
      return {
        level: 'info',
        fields: { ...gallery, loaded, total, percent },
        message: 'a gallery is being loaded',
      };
    }
    case 'loaded': {
      const { templates, ms } = notice;
      return { level: 'info', fields: { ...gallery, templates, ms }, message: 'a gallery is loaded' };
    }
    case 'failed':
      return {
        level: 'error',
        fields: { ...gallery, cause: faultOf(notice.cause) },
        message: 'a gallery could not be loaded',
      };
    case 'unreadable':
      return {
        level: 'error',
        fields: { ...gallery, templates: notice.templates },
        message: 'templates do not open and are left out: run doctor',
      };
    case 'too_large': {
      const { templates, isRefused } = notice;
      const fields = { ...gallery, templates };
      return isRefused
        ? {
            level: 'error',
            fields,
            message: 'a gallery does not fit into MATCH_MEMORY_MB and is not loaded: raise it',
          }
        : {
            level: 'warn',
            fields,
            message: 'a loaded gallery has outgrown MATCH_MEMORY_MB and will not be loaded again: raise it',
          };
    }
  }
}

/** One line, with every cause. */
function faultOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${faultOf(thrown.cause)}`;
}
