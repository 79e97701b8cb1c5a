import type { Voice } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const SAMPLES: Readonly<Record<string, string>> = {
  en: 'Good morning. This is how I sound.',
  hi: 'नमस्ते। मेरी आवाज़ ऐसी है।',
  ne: 'नमस्ते। मेरो आवाज यस्तो छ।',
}

/** Speaks a text with the voice. */
export function VoiceSample({ of: { voice_id, language, name } }: { of: Voice }) {
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
