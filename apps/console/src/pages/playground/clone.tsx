import { ApiError, type Voice } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { curlForm } from '../../parts/curl.ts'
import { Facts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Removal } from '../../parts/removal.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { VoiceSample } from '../voices/voice-sample.tsx'
import { AsCode } from './as-code.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Recorder } from './recorder.tsx'
import { useRecorder } from './use-recorder.ts'

const LANGUAGES = ['en-US', 'ne-NP', 'hi-IN'] as const
/** A voice is measured for some seconds, and longer on a busy server. */
const MOST_MS = 120_000
/** Where a page is without a voice. */
const PATH = '/playground?try=clone'

/** Makes a voice of what is said into the microphone, lets it speak, and deletes it. */
export function Clone() {
  const [voice, setVoice] = useState<Voice>()
  if (!useScope('voices:write')) return <p className="notice">{t.common.forbidden}</p>
  if (voice === undefined) return <Cloning onCloned={setVoice} />
  return (
    <>
      <h2>{voice.name}</h2>
      <Facts
        of={[
          [
            t.common.id,
            <Link key="id" href={`/voices/${voice.voice_id}`}>
              {voice.voice_id}
            </Link>,
          ],
          [t.voices.language, voice.language],
        ]}
      />
      <VoiceSample of={voice} />
      <button type="button" onClick={() => setVoice(undefined)}>
        {t.clone.another}
      </button>
      <Removal
        name={t.voices.remove}
        hint={t.voices.removeHint}
        id={voice.voice_id}
        remove={async () => {
          await vaani.voices.remove(voice.voice_id)
          setVoice(undefined)
        }}
        path={PATH}
      />
    </>
  )
}

function Cloning({ onCloned }: { onCloned: (voice: Voice) => void }) {
  const recorder = useRecorder()
  const { wav } = recorder.recording
  const [name, setName] = useState('')
  const [language, setLanguage] = useState(t.playground.sampleLanguage)
  const queries = useQueryClient()
  const clone = useMutation({
    mutationFn: (recorded: Uint8Array<ArrayBuffer>) => {
      const samples = [new File([recorded], 'recording.wav', { type: 'audio/wav' })]
      return vaani.voices.clone(
        { name, language, consent: true, samples },
        { tryTimeoutMs: MOST_MS, timeoutMs: MOST_MS },
      )
    },
    async onSuccess(made) {
      onCloned(made)
      await queries.invalidateQueries({ queryKey: ['voices'] })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (wav !== undefined) clone.mutate(wav)
  }
  return (
    <>
      <Recorder {...recorder} onStart={() => clone.reset()} />
      <form
        className="fields"
        onSubmit={submit}
        onChange={({ currentTarget }) => {
          const fields = new FormData(currentTarget)
          setName(String(fields.get('name')))
          setLanguage(String(fields.get('language')))
        }}
      >
        <Field name="name" label={t.voices.name} required />
        <Choice name="language" label={t.voices.language} options={LANGUAGES} initial={language} />
        <label className="consent">
          <input type="checkbox" name="consent" required />
          {t.clone.consent}
        </label>
        <button type="submit" className="primary" disabled={wav === undefined || clone.isPending}>
          {t.clone.clone}
        </button>
      </form>
      {clone.isPending && <Loading />}
      {clone.error && <Refusal error={clone.error} />}
      <AsCode
        command={curlForm(
          '/v1/audio/clone',
          { name, language, consent: 'true' },
          { samples: 'recording.wav' },
        )}
        typescript={`const { voice_id } = await vaani.voices.clone({
  name: ${JSON.stringify(name)},
  language: '${language}',
  consent: true,
  samples: ['recording.wav'],
})`}
      />
    </>
  )
}

/** Says in words why no voice can be made of the recording. */
function Refusal({ error }: { error: Error }) {
  const reasons = error instanceof ApiError ? error.details.flatMap(reasonsOf) : []
  if (reasons.length === 0) return <Problem error={error} />
  return (
    <div role="alert" className="problem">
      <p>
        <strong>{t.clone.refused}</strong>
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{t.clone.reasons[reason]}</li>
        ))}
      </ul>
    </div>
  )
}

type Reason = keyof typeof t.clone.reasons
const isReason = (name: unknown): name is Reason =>
  typeof name === 'string' && Object.hasOwn(t.clone.reasons, name)
const reasonsOf = (detail: object): Reason[] =>
  'reason' in detail && isReason(detail.reason) ? [detail.reason] : []
