/** `completion`: prints a shell completion script, which asks the program (completion.ts) at each TAB. */
import { type Command, WrongUsage } from '../command.ts';

/** How scripts ask. Not in --help. */
export const COMPLETE = '__complete';
/** The answer where a file is expected: the shell knows the files. */
export const FILES = ':files';

const PROGRAM = 'face-sign-in';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for ${PROGRAM}. Use: source <(${PROGRAM} completion bash)
_face_sign_in() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${COMPREPLY[0]} == ${FILES} ]] || return 0
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]#=}"))
}
complete -F _face_sign_in ${PROGRAM}`,
  zsh: `#compdef ${PROGRAM}
# zsh completion for ${PROGRAM}. Use: source <(${PROGRAM} completion zsh), after compinit.
_face_sign_in() {
  local -a found
  found=(\${(f)"$(\${words[1]} ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  [[ \${words[CURRENT]} == --*=* ]] && compset -P '*='
  case \${found[1]} in
    '') return 1 ;;
    ${FILES}) _files ;;
    *) compadd -- \${found} ;;
  esac
}
compdef _face_sign_in ${PROGRAM}`,
};
const SHELLS = Object.keys(SCRIPTS);

export const COMPLETION: Command = {
  name: 'completion',
  about:
    'Prints a completion script to source in a shell. It completes commands, options, option values, files and app ids. The executable must be on the PATH as face-sign-in.',
  words: [SHELLS.join('|')],
  examples: ['completion bash', 'completion zsh'],
  run: async ({ words: [shell = ''], usage }) => {
    const script = Object.hasOwn(SCRIPTS, shell) && SCRIPTS[shell];
    if (!script)
      throw new WrongUsage(`there is no script for "${shell}", only for ${SHELLS.join(', ')}; use: ${usage}`);
    return { json: { shell, script: `${script}\n` }, text: script };
  },
};
