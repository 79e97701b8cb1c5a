/** Scripts that a shell loads once. Each calls `vaani complete` on every Tab, so it never becomes stale. */
export const COMPLETION_SCRIPTS = {
  // Uses the line because COMP_WORDS is split at colons, which scopes contain; bash replaces only the part after the last.
  bash: String.raw`_vaani() {
  local line="${'${COMP_LINE:0:COMP_POINT}'}" words current word _
  read -ra words <<<"$line"
  if [[ $line == *[[:space:]] ]]; then words+=(''); fi
  current="${'${words[${#words[@]}-1]}'}"
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then word="${'${word#"${current%"${current##*:}"}"}'}"; fi
    COMPREPLY+=("$word")
  done < <(vaani complete -- "${'${words[@]:1}'}" 2>/dev/null)
}
complete -o default -F _vaani vaani
`,
  zsh: String.raw`#compdef vaani
_vaani() {
  local -a candidates
  local word description
  while IFS=$'\t' read -r word description; do
    candidates+=("${'${word//:/\\:}:${description}'}")
  done < <(vaani complete -- "${'${(@)words[2,CURRENT]}'}" 2>/dev/null)
  if (( ${'${#candidates}'} )); then _describe vaani candidates; else _files; fi
}
if [[ $funcstack[1] == _vaani ]]; then _vaani "$@"; else compdef _vaani vaani; fi
`,
  fish: String.raw`function __vaani_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l found (vaani complete -- $words[2..] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete --command vaani --no-files --arguments '(__vaani_complete)'
`,
} as const satisfies Record<string, string>
