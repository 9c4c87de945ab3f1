/** `user export`: everything stored about one user, for a request under data protection law. */

import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endUserRef } from '../../domain/access/audit.ts';
import { findPerson } from '../../domain/operating/people.ts';
import { userDocument } from '../../domain/operating/user-document.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import { recordRead } from '../audited.ts';
import { type Command, CommandFailed } from '../command.ts';
import { withAdmin } from '../with-admin.ts';

export const USER_EXPORT: Command = {
  name: 'user export',
  about:
    'Exports everything stored about a user as one JSON document, for a request by that user (GDPR, articles 15 and 20): profile, consent, templates, events, pending codes, counters, and how long each is kept. Writes to stdout, or to FILE, which must not exist yet and is readable by you only.',
  words: ['USER_ID', '[FILE]'],
  options: {
    templates: {
      type: 'boolean',
      meaning:
        'Include the decrypted descriptors. Anyone who has them can pass as this user: give them to nobody else.',
    },
  },
  examples: ['user export USER_ID ada.json', 'user export USER_ID ada.json --templates'],
  run: async invocation => {
    const [id = '', file] = invocation.words;
    const document = await withAdmin(invocation, async deps => {
      const document = await userDocument(deps, id, invocation.options.templates === true);
      const { gallery } = await findPerson(deps, id);
      const action = { action: 'person.export', target: endUserRef(deps, id), appId: gallery.appId };
      await recordRead(deps, action);
      return document;
    });
    const text = JSON.stringify(document, null, 2);
    if (file === undefined) return { json: document, text };
    const path = resolve(file);
    const bytes = writeNew(path, `${text}\n`);
    return {
      json: { file: path, bytes },
      text: `${path}: ${sizeOf(bytes)}, readable by you only\nDelete the file after handing it over: nothing else deletes it.`,
    };
  },
};

/** @returns its size. @throws CommandFailed; then there is no new file */
function writeNew(path: string, text: string): number {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
    return Buffer.byteLength(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandFailed(`${path} already exists: choose a file that does not exist`);
    rmSync(path, { force: true });
    throw new CommandFailed(`${path} cannot be written: ${code}`);
  }
}
