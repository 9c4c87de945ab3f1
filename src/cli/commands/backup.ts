/** `backup` and `restore`: the database in a file, and back. */

import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command, Invocation } from '../command.ts';
import type { Progress } from '../progress.ts';
import { onSignal } from '../signals.ts';
import { grouped, sizeOf } from '../text.ts';

const SECRET_NOTE =
  'The master secret is not in it: keep master.key (or MASTER_SECRET) in another place, or the backup cannot be read.';

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    usage: 'FILE',
    about: 'Writes a consistent copy of the database, beside a running server too.',
    words: ['FILE'],
    options: {},
    examples: ['backup /var/backups/face-sign-in.db'],
    run: async invocation => {
      const file = resolve(invocation.words[0] as string);
      const { openFile } = await import('../../service/file.ts');
      const upkeep = openFile(invocation.config(), invocation.parts, 'backup');
      const progress = invocation.progress('backup');
      const unwatch = onSignal(() => upkeep.dropDraft(file));
      const bytes = await upkeep.backUp(file, progress.at).finally(unwatch);
      return {
        json: { file, bytes },
        text: `${file}: ${sizeOf(bytes)} (${grouped(bytes)} bytes)\n${SECRET_NOTE}`,
      };
    },
  },
  {
    name: 'restore',
    usage: 'FILE [--erasures FILE] [--accept-gap]',
    about:
      'Puts a backup into a data folder without a database, and repeats the erasures made since: those of erasures.jsonl there, and of FILE (a journal or a later backup). Erasures are known for 400 days: an older backup is refused unless a journal reaches back to it.',
    words: ['FILE'],
    options: {
      erasures: {
        type: 'string',
        value: 'FILE',
        completes: 'file',
        meaning: 'An erasures.jsonl, or a later backup, whose erasures are repeated too.',
      },
      'accept-gap': {
        type: 'boolean',
        meaning: 'Restore although erasures since the backup may be forgotten: people may come back.',
      },
    },
    examples: [
      'restore /var/backups/face-sign-in.db',
      'restore /var/backups/monday.db --erasures /var/backups/erasures.jsonl',
    ],
    run: async invocation => {
      const { erasures } = invocation.options;
      const files = {
        backup: resolve(invocation.words[0] as string),
        erasures: typeof erasures === 'string' ? resolve(erasures) : null,
        acceptGap: invocation.options['accept-gap'] === true,
        tell: steps(invocation),
      };
      const config = invocation.config();
      const { openFile } = await import('../../service/file.ts');
      const { erasedAgain, tokensCountFrom } = await openFile(config, invocation.parts, 'restore').restore(
        files,
      );
      // A token of the second in which this happened counts as an old one, so nobody is to get one in it.
      await delay(Math.min(1_000, Math.max(0, tokensCountFrom * 1_000 - Date.now())));
      const text = [
        `${config.databasePath} is restored. Tokens from before count as revoked.`,
        `Erased again, as they were erased since the backup: ${erasedAgain}`,
      ];
      return { json: { restored: true }, text: text.join('\n') };
    },
  },
];

/** One bar after the other. */
function steps({ progress }: Invocation): (step: string, done: number, total?: number) => void {
  let shown: { step: string; bar: Progress } | null = null;
  return (step, done, total) => {
    if (shown?.step !== step) {
      shown?.bar.end();
      shown = { step, bar: progress(`restore: ${step}`, total) };
    }
    shown.bar.at(done, total);
  };
}
