import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Words {
  /** `dataset push`: subcommands in the order of the line. Empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** A script that completes commands and options, made from the commands themselves. */
export function toCompletion(program: Command, shell: Shell): string {
  const all = wordsOf(program, []);
  return { bash: toBash, zsh: toZsh, fish: toFish }[shell](program.name(), all);
}

function wordsOf(command: Command, path: readonly string[]): Words[] {
  const shown = command.commands.filter((each) => each.name() !== 'help');
  const options = [...command.options.map((option) => option.long ?? option.short ?? ''), '--help'];
  const own = { path: path.join(' '), words: [...shown.map((each) => each.name()), ...options] };
  return [own, ...shown.flatMap((each) => wordsOf(each, [...path, each.name()]))];
}

/** The words before the cursor that are no options name the command. */
function toBash(name: string, all: readonly Words[]): string {
  const cases = all.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n');
  return `_${name}() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _${name} ${name}
`;
}

function toZsh(name: string, all: readonly Words[]): string {
  return `#compdef ${name}\nautoload -U +X bashcompinit && bashcompinit\n${toBash(name, all)}`;
}

function toFish(name: string, all: readonly Words[]): string {
  const lines = all.flatMap(({ path, words }) => {
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return words.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ${name} -n '${seen}' ${what}`;
    });
  });
  return `${lines.join('\n')}\n`;
}
