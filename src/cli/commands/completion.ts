/** `completion`: a script that completes commands, options and their values in a shell. */
import { type Command, WrongUsage } from '../command.ts';
import { fishScript } from '../completion/fish.ts';
import { bashScript, zshScript } from '../completion/posix.ts';
import { groupsOf, offersOf } from '../completion/table.ts';

const SHELLS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const;

/** @param commands asked for late: this command is one of them */
export function completionOf(commands: () => readonly Command[]): Command {
  const shells = Object.keys(SHELLS);
  return {
    name: 'completion',
    usage: shells.join('|'),
    about:
      'Prints a script for a shell, to be sourced, that completes commands, options, their values, files, and ids of apps. Made for the executable, by its name face-sign-in on the PATH.',
    words: [shells.join('|')],
    options: {},
    examples: ['completion bash', 'completion zsh', 'completion fish'],
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
