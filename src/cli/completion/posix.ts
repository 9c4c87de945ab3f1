/**
 * Completion for bash and zsh: shared tables as shell functions, and a script for each. Held by
 * test/cli/completion.test.ts.
 */
import { COMPLETE } from './candidates.ts';
import type { Kind, Offer } from './table.ts';

const PROGRAM = 'face-sign-in';

export function bashScript(offers: readonly Offer[], groups: readonly string[]): string {
  return `# bash completion for ${PROGRAM}. Use: source <(${PROGRAM} completion bash)
${tables(offers)}
_face_sign_in() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local kind='' command='' place=0 skip='' word i
  # bash splits --mode=li into three words.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
${path(groups)}
  done
${kindOf()}
  local IFS=$'\\n'
  case $kind in
    text) COMPREPLY=() ;;
    file)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$cur"))
      ;;
    app) COMPREPLY=($(compgen -W "$("$1" ${COMPLETE} apps 2>/dev/null)" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "\${kind// /$'\\n'}" -- "$cur")) ;;
  esac
}
complete -F _face_sign_in ${PROGRAM}
`;
}

export function zshScript(offers: readonly Offer[], groups: readonly string[]): string {
  return `#compdef ${PROGRAM}
# zsh completion for ${PROGRAM}. Use: source <(${PROGRAM} completion zsh), after compinit.
${tables(offers)}
_face_sign_in() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]}
  local kind='' command='' place=0 skip='' word i
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*}
    cur=\${cur#*=}
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
${path(groups)}
  done
${kindOf()}
  case $kind in
    text) return 1 ;;
    file) _files ;;
    app) compadd -- \${(f)"$(\${words[1]} ${COMPLETE} apps 2>/dev/null)"} ;;
    *) compadd -- \${=kind} ;;
  esac
}
compdef _face_sign_in ${PROGRAM}
`;
}

/** Sets command and place from one word before the cursor. */
function path(groups: readonly string[]): string {
  return `    if [[ -n $skip ]]; then
      skip=''
    elif [[ $word == --*=* ]]; then
      :
    elif [[ $word == -* ]]; then
      __face_sign_in_value "$command $word"
      skip=$kind
    elif [[ -z $command ]]; then
      command=$word
    elif [[ '|${groups.join('|')}|' == *"|$command|"* ]]; then
      command="$command $word"
    else
      ((place += 1))
    fi`;
}

/** Sets what is offered at the cursor. */
function kindOf(): string {
  return `  kind=''
  [[ $prev == --* ]] && __face_sign_in_value "$command $prev"
  [[ -z $kind && $cur != -* ]] && __face_sign_in_word "$command $place"
  [[ -z $kind ]] && __face_sign_in_options "$command"`;
}

function tables(offers: readonly Offer[]): string {
  const values = offers.flatMap(({ path: at, options }) =>
    options.flatMap(({ name, kind }) =>
      kind ? [`${quoted(`${at} ${name}`)}) kind=${written(kind)} ;;`] : [],
    ),
  );
  const words = offers.flatMap(({ path: at, words: kinds }) =>
    kinds.map((kind, place) => `${quoted(`${at} ${place}`)}) kind=${written(kind)} ;;`),
  );
  const options = offers.map(
    ({ path: at, options: own }) => `${quoted(at)}) kind=${quoted(own.map(({ name }) => name).join(' '))} ;;`,
  );
  return [choice('value', values), choice('word', words), choice('options', options)].join('\n');
}

function choice(name: string, cases: readonly string[]): string {
  return `__face_sign_in_${name}() {
  case "$1" in
${cases.map(each => `    ${each}`).join('\n')}
    *) kind='' ;;
  esac
}`;
}

const written = (kind: Kind) => quoted(typeof kind === 'string' ? kind : kind.join(' '));
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
