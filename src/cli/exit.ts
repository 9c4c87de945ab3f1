/** Error message and exit code: 2 for wrong usage or a wrong setting, otherwise 1. */
import { NotAFile, StoreMisfit } from '../service/refusals.ts';
import { SettingFault } from '../settings/values.ts';
import { WrongUsage } from './command.ts';
import { harmless } from './text.ts';

export interface Exit {
  readonly line: string;
  readonly exitCode: 1 | 2;
}

export function exitOf(error: unknown): Exit {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = [WrongUsage, SettingFault, StoreMisfit, NotAFile].some(kind => error instanceof kind);
  return { line: harmless(message.replace(/\s*\n\s*/g, ' ')), exitCode: isUsage ? 2 : 1 };
}
