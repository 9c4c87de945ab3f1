/** `backup`, `restore` and `after-restore`. */

import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { grouped, sizeOf } from '../../protocol/amounts.ts';
import { utcDay } from '../../protocol/time.ts';
import type { Restored, RestoredOperator } from '../../service/file.ts';
import { shownDatabase } from '../../settings/database.ts';
import { recordDone } from '../audited.ts';
import type { Command, Invocation, Result } from '../command.ts';
import type { Progress } from '../progress.ts';
import { onSignal } from '../signals.ts';
import { table } from '../table.ts';
import { harmless } from '../text.ts';

const SECRET_NOTE =
  'The backup does not contain the master secret. Keep master.key (or MASTER_SECRET) in another place: without it the backup cannot be read.';

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    about: 'Writes a consistent copy of the database. The server may keep running.',
    words: ['FILE'],
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
    about:
      'Restores a backup into a data folder that has no database. It repeats the erasures since the backup: those in erasures.jsonl there, and those in FILE (a journal or a later backup). Without a journal, or with none that reaches back to the backup, it refuses, because erased users would come back.',
    words: ['FILE'],
    options: {
      erasures: {
        type: 'string',
        value: 'FILE',
        completes: 'file',
        meaning: 'Another erasures.jsonl, or a later backup: its erasures are repeated too.',
      },
      'accept-gap': {
        type: 'boolean',
        meaning: 'Restore even if erasures since the backup are not on record: erased users may come back.',
      },
    },
    examples: [
      'restore /var/backups/face-sign-in.db',
      'restore /var/backups/monday.db --erasures /var/backups/erasures.jsonl',
    ],
    run: async invocation => {
      const files = { backup: resolve(invocation.words[0] as string), ...asked(invocation) };
      const config = invocation.config();
      const { openFile } = await import('../../service/file.ts');
      const settled = await openFile(config, invocation.parts, 'restore').restore(files);
      return reported(invocation, 'restore', settled);
    },
  },
  {
    name: 'after-restore',
    about:
      'With PostgreSQL, once its own tools have restored the database and before any node starts: repeats the erasures since then, drops challenges, codes and limits, and revokes all tokens issued before. It needs the journal of a node: erasures.jsonl in DATA_DIR, or FILE.',
    options: {
      erasures: {
        type: 'string',
        value: 'FILE',
        completes: 'file',
        meaning: 'Another erasures.jsonl: its erasures are repeated too.',
      },
      'accept-gap': {
        type: 'boolean',
        meaning: 'Go on even if erasures since then are not on record: erased users may come back.',
      },
    },
    examples: ['after-restore', 'after-restore --erasures /mnt/node-b/erasures.jsonl'],
    run: async invocation => {
      const { settleServer } = await import('../../service/upkeep.ts');
      const config = invocation.config();
      const settled = await settleServer(config, invocation.parts, asked(invocation));
      return reported(invocation, 'after-restore', settled);
    },
  },
];

/** What both ways to restore take. */
function asked(invocation: Invocation) {
  const { erasures, 'accept-gap': acceptGap } = invocation.options;
  return {
    erasures: typeof erasures === 'string' ? resolve(erasures) : null,
    acceptGap: acceptGap === true,
    onProgress: steps(invocation),
  };
}

async function reported(
  invocation: Invocation,
  action: 'restore' | 'after-restore',
  { erasedAgain, erasuresUnknownSince: since, tokensCountFrom, operators }: Restored,
): Promise<Result> {
  await recordDone(invocation, { action });
  if (operators.length > 0) invocation.printError(operatorsText(operators));
  // A token issued in this second would count as an old one, so wait until the second is over.
  await delay(Math.min(1_000, Math.max(0, tokensCountFrom * 1_000 - Date.now())));
  const text = [
    `${shownDatabase(invocation.config().database)} is restored. Tokens issued before now are revoked.`,
    `Erased since the backup, and now erased again: ${erasedAgain}`,
    ...(since === null
      ? []
      : [
          `Erasures since ${new Date(since).toISOString()} are not known: whoever was erased after that is back.`,
        ]),
  ];
  return { json: { restored: true }, text: text.join('\n') };
}

/** Shows one progress bar per step, one after the other. */
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

/** Whoever was removed after the backup is there again. */
function operatorsText(operators: readonly RestoredOperator[]): string {
  const rows = operators.map(({ email, name, isAdmin, isDisabled, passkeys }) => [
    harmless(email),
    harmless(name),
    [isAdmin ? 'admin' : '', isDisabled ? 'disabled' : ''].filter(Boolean).join(', '),
    passkeys.length === 0 ? 'no passkey' : passkeys.map(passkeyText).join('; '),
  ]);
  return `Operators of the portal as of the backup, with their passkeys; all are signed out, and recovery codes are gone. Disable whoever must not return: operator disable EMAIL\n${table(rows)}`;
}

function passkeyText({ label, createdAt, lastUsedAt }: RestoredOperator['passkeys'][number]): string {
  return `${harmless(label)}: added ${utcDay(createdAt)}, ${lastUsedAt === null ? 'never used' : `last used ${utcDay(lastUsedAt)}`}`;
}
