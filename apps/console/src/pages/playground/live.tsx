import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Facts } from '../../parts/facts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useScope } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { AsCode } from './as-code.tsx'
import { type Emotion, EmotionChoice, EMOTIONS, SpeechChoices } from './speech-choices.tsx'
import { type Live as LiveState, type Sent, useLive } from './use-live.ts'

const VOICES = ['default', 'alt1', 'alt2'] as const

/** Speaks a text while it is typed, shifts the emotion in mid-sentence, and is interrupted. */
export function Live() {
  const { live, begin, end, setEmotion, interrupt, ...typing } = useLive()
  const isOpen = live.phase === 'open'
  const [voice, setVoice] = useState<string>(VOICES[0])
  const [language, setLanguage] = useState(t.playground.sampleLanguage)
  const [emotion, setChosenEmotion] = useState<Emotion>('neutral')
  const mayBegin = useScope('speech:write')
  useEscape(isOpen, interrupt)
  function change({ currentTarget }: FormEvent<HTMLFormElement>) {
    const fields = new FormData(currentTarget)
    const chosen = EMOTIONS.find((one) => one === fields.get('emotion')) ?? 'neutral'
    setVoice(String(fields.get('voice')))
    setLanguage(String(fields.get('language')))
    setChosenEmotion(chosen)
    if (isOpen && chosen !== emotion) setEmotion(chosen)
  }
  return (
    <>
      <p className="hint">{t.live.hint}</p>
      <form className="fields wide" onChange={change} onSubmit={(event) => event.preventDefault()}>
        <SpeechChoices voices={VOICES} language={language}>
          <EmotionChoice />
        </SpeechChoices>
      </form>
      <div className="line">
        <button
          type="button"
          className="primary"
          disabled={!mayBegin || live.phase !== 'closed'}
          onClick={() => void begin({ voice, language, emotion })}
        >
          {t.live.begin}
        </button>
        <button type="button" disabled={!isOpen} aria-keyshortcuts="Escape" onClick={interrupt}>
          {t.live.interrupt} <kbd>Esc</kbd>
        </button>
        <button type="button" disabled={!isOpen} onClick={end}>
          {t.live.end}
        </button>
      </div>
      {!mayBegin && <p className="notice">{t.common.forbidden}</p>}
      {live.error && <Problem error={live.error} />}
      {live.phase !== 'closed' && <Typing isOpen={isOpen} {...typing} />}
      <Said live={live} />
      <AsCode
        typescript={`const session = await vaani.realtime.synthesize(${JSON.stringify({ voice, language, emotion })})
session.speak('I was sad, but then ')
session.setEmotion('excited') // from the next phrase on
session.speak('it changed! And now I laugh.')
session.flush()
for await (const frame of session.audio()) play(frame) // session.cancel() interrupts it`}
      />
    </>
  )
}

/** A field whose words are sent once they are complete, and the rest by Enter. */
function Typing(props: { isOpen: boolean; speak: (text: string) => void; flush: () => void }) {
  const { isOpen, speak, flush } = props
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  function take(typed: string) {
    const complete = /^.*\s/.exec(typed)?.[0] ?? ''
    if (complete !== '') speak(complete)
    setText(typed.slice(complete.length))
  }
  return (
    <form
      className="field typing"
      onSubmit={(event) => {
        event.preventDefault()
        // The space keeps it apart from what is typed next.
        if (text !== '') speak(`${text} `)
        flush()
        setText('')
      }}
    >
      <label htmlFor="say">{t.live.input}</label>
      <input
        id="say"
        ref={field}
        value={text}
        disabled={!isOpen}
        autoComplete="off"
        aria-describedby="say-hint"
        onChange={({ currentTarget: { value }, nativeEvent }) =>
          // Until a method of input has composed a syllable, it may still change.
          nativeEvent instanceof InputEvent && nativeEvent.isComposing ? setText(value) : take(value)
        }
        onCompositionEnd={({ currentTarget: { value } }) => take(value)}
      />
      <p id="say-hint" className="hint">
        {t.live.inputHint}
      </p>
    </form>
  )
}

function Said({ live: { sent, phrase, firstMs, silentMs, confirmedMs } }: { live: LiveState }) {
  if (sent.length === 0) return null
  return (
    <section className="heard" aria-label={t.live.sent}>
      <p className="sent">{sent.map(toPart)}</p>
      <Facts
        of={[
          [t.live.saying, phrase ?? '–'],
          [t.playground.firstSound, firstMs && t.formats.duration(firstMs)],
          [t.live.silentAfter, silentMs && t.formats.duration(silentMs)],
          [t.live.confirmedAfter, confirmedMs && t.formats.duration(confirmedMs)],
        ]}
      />
    </section>
  )
}

function toPart(one: Sent, index: number) {
  if ('text' in one) return <span key={index}>{one.text}</span>
  return <mark key={index}>{'emotion' in one ? t.codes.emotions[one.emotion] : t.live.interrupted}</mark>
}

/** Lets Escape interrupt, in fields too. */
function useEscape(isOn: boolean, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isOn) return undefined
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOn])
}
