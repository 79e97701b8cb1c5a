import type { Voice } from '@vaani/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { VoiceStatus } from './voice-status.tsx'

/** One cloned voice: how it sounds, and how to delete it. */
export function VoicePage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['voice', id],
    queryFn: ({ signal }) =>
      findIn(vaani.voices.list({ limit: 100 }, { signal }), ({ voice_id }) => voice_id === id),
  })
  const maySpeak = useScope('speech:write')
  return (
    <Loaded read={read} list={{ path: '/voices', title: t.voices.all }} title={id}>
      {(voice) => (
        <>
          <PageHeader title={voice.name}>
            <VoiceStatus of={voice} />
          </PageHeader>
          <Facts
            of={[
              ['Id', <CopiedId key="id" id={voice.voice_id} />],
              [t.voices.language, voice.language],
              [t.voices.kind, voice.kind],
              [t.voices.created, <Time key="created" at={voice.created_at} />],
            ]}
          />
          {maySpeak && voice.status === 'ready' && <Sample of={voice} />}
          <JsonView of={voice} />
          <Removal
            name={t.voices.remove}
            hint={t.voices.removeHint}
            id={id}
            remove={() => vaani.voices.remove(id)}
            path="/voices"
          />
        </>
      )}
    </Loaded>
  )
}

const SAMPLES: Readonly<Record<string, string>> = {
  en: 'Good morning. This is how I sound.',
  hi: 'नमस्ते। मेरी आवाज़ ऐसी है।',
  ne: 'नमस्ते। मेरो आवाज यस्तो छ।',
}

/** Speaks a text with the voice. */
function Sample({ of: { voice_id, language, name } }: { of: Voice }) {
  const id = useId()
  const spoken = language ?? 'en-US'
  const speak = useMutation({
    mutationFn: async (text: string) => {
      const file = await vaani.speech.synthesize({
        model: 'synth-v1',
        voice: voice_id,
        language: spoken,
        text,
      })
      return file.bytes()
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    speak.mutate(String(new FormData(event.currentTarget).get('text') ?? ''))
  }
  return (
    <>
      <h2>{t.voices.sample}</h2>
      <form className="line" onSubmit={submit}>
        <label htmlFor={id}>{t.voices.text}</label>
        <input
          id={id}
          name="text"
          className="wide"
          required
          maxLength={200}
          lang={spoken}
          defaultValue={SAMPLES[spoken.split('-', 1)[0] ?? ''] ?? SAMPLES['en']}
        />
        <button type="submit" disabled={speak.isPending}>
          {t.voices.speak}
        </button>
      </form>
      {speak.error && <Problem error={speak.error} />}
      {speak.data && <Player wav={speak.data} name={name} />}
    </>
  )
}
