/** `completion`: prints a shell completion script. */
import { type Command, WrongUsage } from '../command.ts';
import { bashScript, zshScript } from '../completion/posix.ts';
import { groupsOf, offersOf } from '../completion/table.ts';

const SHELLS = {
  bash: bashScript,
  zsh: zshScript,
} as const;

/** @param commands a function, because this command is one of them */
export function completionOf(commands: () => readonly Command[]): Command {
  const shells = Object.keys(SHELLS);
  return {
    name: 'completion',
    usage: shells.join('|'),
    about:
      'Prints a completion script to source in a shell. It completes commands, options, option values, files and app ids. The executable must be on the PATH as face-sign-in.',
    words: [shells.join('|')],
    examples: ['completion bash', 'completion zsh'],
    run: async ({ words: [shell = ''], usage }) => {
      if (!(shell in SHELLS))
        throw new WrongUsage(
          `there is no script for "${shell}", only for ${shells.join(', ')}; use: ${usage}`,
        );
      const all = commands();
      const script = SHELLS[shell as keyof typeof SHELLS](offersOf(all), groupsOf(all));
      return { json: { shell, script }, text: script.trimEnd() };
    },
  };
}
