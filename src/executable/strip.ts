/**
 * Removes the symbols for debuggers, a quarter of Node.js. Without a suitable binutils they stay in. Held by
 * test/bare/arm64.test.ts.
 */
import { execFileSync } from 'node:child_process';

const CPUS: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' };

/** @returns the file without symbols, or the given one, with the reason printed */
export function withoutSymbols(node: string, platform: string, path: string): string {
  const cpu = CPUS[platform.split('-')[1] ?? ''];
  const programs = ['strip', `${cpu}-linux-gnu-strip`, 'llvm-strip'];
  for (const program of programs)
    try {
      execFileSync(program, ['-o', path, node], { stdio: 'pipe' });
      return path;
    } catch {
      // It is not installed, or is for other processors.
    }
  console.log(
    `${programs.join(', ')}: none can process Node.js for ${platform}: the executable will be larger`,
  );
  return node;
}
