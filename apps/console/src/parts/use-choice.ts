import { useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'

/** One of some choices, kept in the address, so that a link shows the same. Undefined if none of them is chosen. */
export function useChoice<Name extends string>(param: string, names: readonly Name[]) {
  const [text, setText] = useParam(param)
  return [names.find((name) => name === text), setText] as const
}

/** A text that is kept in the address; empty if it is not there. */
export function useParam(param: string): readonly [text: string, setText: (text: string) => void] {
  const [search, setSearch] = useSearchParams()
  const state = useHistoryState<unknown>()
  const setText = (text: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (text === '') after.delete(param)
        else after.set(param, text)
        return after
      },
      { state },
    )
  return [search.get(param) ?? '', setText]
}
