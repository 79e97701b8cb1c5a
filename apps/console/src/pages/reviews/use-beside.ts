import type { Review } from '@vaani/client'
import { useEffect, useRef } from 'react'
import { useParam } from '../../parts/use-choice.ts'

/** Name of the parameter of the address that has the id of what is shown beside a case, so that the back button closes it. */
export const BESIDE = 'beside'

/** Name of the value of a check that is the verification with the same document or video. */
export const EARLIER = 'earlier_verification'

/** What is shown beside a case, and how that changes. */
export interface Beside {
  readonly id: string | undefined
  /** Shows a verification, or closes it; without an id, the first that there is. */
  readonly toggle: (id?: string) => void
}

/** Ids of the verifications in which the document or the video of a case was sent before. */
const twinsOf = ({ checks }: Review): readonly string[] => [
  ...new Set(
    checks.flatMap(({ evidence }) => {
      const id = evidence[EARLIER]
      return typeof id === 'string' ? [id] : []
    }),
  ),
]

/** Shows a twin beside a case. Once it is closed, the person is where they were before. */
export function useBeside(review: Review): Beside {
  const [asked, ask] = useParam(BESIDE)
  const twins = twinsOf(review)
  const id = twins.find((twin) => twin === asked)
  const origin = useRef<{ element: Element | null; top: number }>(null)
  useEffect(() => {
    if (id !== undefined || origin.current === null) return
    const { element, top } = origin.current
    origin.current = null
    if (element instanceof HTMLElement) element.focus({ preventScroll: true })
    scrollTo({ top })
  }, [id])
  return {
    id,
    toggle(which = id ?? twins[0] ?? '') {
      origin.current ??= { element: document.activeElement, top: scrollY }
      ask(which === id ? '' : which)
    },
  }
}
