/** What a shell reads once; each asks `vaani complete` at every Tab, so that no script grows stale. */
export const COMPLETION_SCRIPTS = {
  // From the line, as COMP_WORDS is cut at colons, which scopes hold; bash then replaces only what is after the last.
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
