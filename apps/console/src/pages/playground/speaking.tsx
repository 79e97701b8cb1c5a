import { measureWaveform, waveformPath } from '@vaani/pcm-audio'
import type { StreamSpeechRequest } from '@vaani/client'
import { type FormEvent, useMemo, useState } from 'react'
import { curl } from '../../parts/curl.ts'
import { Facts } from '../../parts/facts.tsx'
import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { AsCode } from './as-code.tsx'
import { Choice } from '../../parts/choice.tsx'
import { EmotionChoice, EMOTIONS, SpeechChoices } from './speech-choices.tsx'
import { type Spoken, useSpeech } from './use-speech.ts'

type Request = Omit<StreamSpeechRequest, 'model'>

const COLUMNS = 600
const HEIGHT = 72
const FIRST: Request = {
  input: t.playground.sample,
  language: t.playground.sampleLanguage,
  emotion: 'neutral',
}

/** Speaks a text, which is heard while it is made. */
export function Speaking() {
  const { spoken, speak, stop } = useSpeech()
  const [request, setRequest] = useState(FIRST)
  const isSpeaking = spoken.phase === 'asked' || spoken.phase === 'playing'
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void speak(request)
  }
  return (
    <>
      <form
        className="fields wide"
        onSubmit={submit}
        onChange={({ currentTarget }) => setRequest(read(currentTarget))}
      >
        <div className="field">
          <label htmlFor="input">{t.playground.text}</label>
          <textarea id="input" name="input" rows={4} required maxLength={4096} defaultValue={FIRST.input} />
        </div>
        <SpeechChoices voices={['nova', 'atlas']} language={t.playground.sampleLanguage}>
          <EmotionChoice />
          <Choice
            name="speed"
            label={t.playground.speed}
            options={['0.5', '0.75', '1', '1.5', '2']}
            initial="1"
          />
        </SpeechChoices>
        <div className="line">
          <button type="submit" className="primary">
            {t.playground.speak}
          </button>
          <button type="button" disabled={!isSpeaking} onClick={stop}>
            {t.playground.stop}
          </button>
        </div>
      </form>
      {spoken.error && <Problem error={spoken.error} />}
      <Heard spoken={spoken} />
      <AsCode
        command={`${curl('/v1/audio/stream', { model: 'stream-tts', ...request })} \\\n  --output speech.pcm`}
        typescript={`const stream = await vaani.speech.stream(${JSON.stringify(request, null, 2)})
for await (const frame of stream) play(frame) // 20 ms of PCM at 16 kHz`}
      />
    </>
  )
}

function read(form: HTMLFormElement): Request {
  const fields = new FormData(form)
  const text = (name: string) => String(fields.get(name) ?? '')
  return {
    input: text('input'),
    language: text('language'),
    voice: text('voice'),
    emotion: EMOTIONS.find((emotion) => emotion === text('emotion')),
    speed: Number(text('speed')),
  }
}

/** What has come of the speech, and when. */
function Heard({ spoken }: { spoken: Spoken }) {
  const { phase, lengthMs, min, max, wav, firstMs, receivedMs } = spoken
  const path = useMemo(() => {
    const largest = measureWaveform(max, { columns: COLUMNS })
    return waveformPath(
      { ...largest, min: measureWaveform(min, { columns: COLUMNS }).min },
      { height: HEIGHT },
    )
  }, [min, max])
  if (phase === 'idle') return null
  return (
    <section className="heard" aria-label={t.playground.heard}>
      {wav === undefined ? (
        <figure className="player">
          <svg viewBox={`0 0 ${COLUMNS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path d={path} />
          </svg>
        </figure>
      ) : (
        <Player wav={wav} name={t.playground.heard} />
      )}
      <Facts
        of={[
          [t.playground.firstSound, firstMs && t.formats.duration(firstMs)],
          [t.playground.length, t.formats.duration(lengthMs)],
          [t.playground.received, receivedMs && t.formats.duration(receivedMs)],
        ]}
      />
      {wav !== undefined && <Download wav={wav} />}
    </section>
  )
}

function Download({ wav }: { wav: Uint8Array<ArrayBuffer> }) {
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([wav], { type: 'audio/wav' }))
    link.download = 'speech.wav'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" onClick={save}>
      {t.playground.download}
    </button>
  )
}
