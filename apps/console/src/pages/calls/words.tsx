import { Fragment, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { usePlace } from '../../parts/use-place.ts'
import { t } from '../../text/text.ts'
import { type Turn, wordAt } from './place-of-word.ts'

/** How far each key moves among the words. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * What was said in one turn. The word that is heard is marked, and a click or Enter on a word moves the player there. Screen readers read the
 * text as a whole; the words are one stop of the keyboard, and no mark is announced.
 */
export function Words({ turn, audio }: { turn: Turn; audio: RefObject<HTMLAudioElement | null> }) {
  const list = useRef<HTMLDivElement>(null)
  const marked = useRef(-1)
  const [reached, setReached] = useState(0)
  const label = useId()
  const optionAt = (index: number) => list.current?.querySelectorAll<HTMLElement>('[role=option]')[index]
  usePlace(audio, (seconds) => {
    const now = wordAt(turn, Math.round(1000 * seconds))
    if (now === marked.current) return
    optionAt(marked.current)?.setAttribute('aria-selected', 'false')
    optionAt(now)?.setAttribute('aria-selected', 'true')
    marked.current = now
  })
  const goTo = (index: number) => {
    const word = turn.words[index]
    if (word && audio.current) audio.current.currentTime = word.start_ms / 1000
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (event.key === 'Enter' || event.key === ' ') goTo(reached)
    else if (step !== undefined)
      optionAt(Math.min(turn.words.length - 1, Math.max(0, reached + step)))?.focus()
    else return
    event.preventDefault()
  }
  return (
    <section className="turn" aria-labelledby={label}>
      <h3 id={label}>{t.calls.speakers[turn.speaker]}</h3>
      <p className="unseen" lang={turn.language}>
        {turn.text}
      </p>
      <div
        ref={list}
        className="spoken"
        role="listbox"
        aria-label={t.calls.words}
        lang={turn.language}
        onKeyDown={onKeyDown}
      >
        {turn.words.map(({ text, start_ms }, index) => {
          const word = text.trimEnd()
          return (
            // Words repeat, and nothing of a transcript moves.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={`${index} ${start_ms}`}>
              <span
                role="option"
                aria-selected="false"
                tabIndex={index === reached ? 0 : -1}
                onFocus={() => setReached(index)}
                onClick={() => goTo(index)}
              >
                {word}
              </span>
              {text.slice(word.length)}
            </Fragment>
          )
        })}
      </div>
      {turn.cut_by && <p className="cut">{t.calls.cutBy(t.codes.callEnds[turn.cut_by])}</p>}
    </section>
  )
}
