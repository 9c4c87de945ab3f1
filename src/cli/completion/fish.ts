/** Completion for fish, which shows what each option means. Held by test/cli/completion.test.ts. */
import { COMPLETE } from './candidates.ts';
import type { Kind, Offer } from './table.ts';

const PROGRAM = 'face-sign-in';

export function fishScript(offers: readonly Offer[]): string {
  const withValue = offers.flatMap(({ options }) =>
    options.filter(({ kind }) => kind).map(({ name }) => name),
  );
  const lines = offers.flatMap(({ path, words, options }) => [
    ...words.map(
      (kind, place) => `complete -c ${PROGRAM} -n ${condition('at', path, place)} ${argument(kind)}`,
    ),
    ...options.map(({ name, kind, meaning }) => {
      const value = kind === null ? '' : ` -r ${argument(kind)}`;
      return `complete -c ${PROGRAM} -n ${condition('in', path)} -l ${name.slice(2)}${value} -d ${quoted(meaning)}`;
    }),
  ]);
  return `# fish completion for ${PROGRAM}. Use: ${PROGRAM} completion fish | source
function __face_sign_in_words
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if string match -q -- '-*' $word
            contains -- $word ${[...new Set(withValue)].join(' ')}; and set skip 1
        else
            echo $word
        end
    end
end
function __face_sign_in_place
    # How many words follow the given ones, or -1 if the line begins with other words.
    set -l words (__face_sign_in_words)
    set -l path (string split -n ' ' -- $argv[1])
    set -l wanted (count $path)
    test (count $words) -ge $wanted; or begin; echo -1; return; end
    test $wanted -gt 0; and test "$words[1..$wanted]" != "$path"; and begin; echo -1; return; end
    math (count $words) - $wanted
end
function __face_sign_in_at
    test (__face_sign_in_place $argv[1]) = $argv[2]
end
function __face_sign_in_in
    set -l place (__face_sign_in_place $argv[1])
    test -n "$argv[1]"; and test $place -ge 0; or test $place = 0
end
complete -c ${PROGRAM} -e
complete -c ${PROGRAM} -f
${lines.join('\n')}
`;
}

function condition(name: 'at' | 'in', path: string, place?: number): string {
  return `"__face_sign_in_${name} '${path}'${place === undefined ? '' : ` ${place}`}"`;
}

function argument(kind: Kind): string {
  if (kind === 'file') return '-F';
  if (kind === 'text') return '-f';
  if (kind === 'app') return `-f -a '(${PROGRAM} ${COMPLETE} apps 2>/dev/null)'`;
  return `-f -a ${quoted(kind.join(' '))}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
