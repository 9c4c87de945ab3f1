/** Mail for development: writes each message to a JSON file. Names sort by time; a file appears when it is complete. */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailer } from '../../ports/mailer.ts';

/** @param onWritten gets the name of each file */
export function fileMailer(folder: string, from: string, onWritten: (file: string) => void): Mailer {
  let count = 0;
  return {
    async send({ to, subject, text }) {
      const time = new Date().toISOString().replaceAll(':', '-');
      const number = String(count++).padStart(6, '0');
      const file = `${time}-${number}-${randomBytes(4).toString('hex')}.json`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${file}.part`);
      const message = `${JSON.stringify({ from, to, subject, text }, null, 2)}\n`;
      await writeFile(draft, message, { flag: 'wx', mode: 0o600 });
      await rename(draft, join(folder, file));
      onWritten(file);
    },
    close: () => undefined,
  };
}
