import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keysOf } from '../../parts/keys-of.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Choice } from '../../parts/choice.tsx'

export const EMOTIONS = keysOf(t.codes.emotions)
export type Emotion = keyof typeof t.codes.emotions

/** The choice of an emotion. */
export const EmotionChoice = () => (
  <Choice
    name="emotion"
    label={t.playground.emotion}
    options={EMOTIONS.map((one) => [one, t.codes.emotions[one]] as const)}
  />
)

/** Choices of how a text is spoken: its language, and one of the route's own voices or of those of the account. */
export function SpeechChoices(props: { voices: readonly string[]; language: string; children?: ReactNode }) {
  const { voices: builtIn, language, children } = props
  const languages = useQuery({
    queryKey: ['languages'],
    queryFn: ({ signal }) => vaani.speech.languages({ signal }),
    staleTime: Infinity,
  })
  const voices = useQuery({
    queryKey: ['voices'],
    queryFn: async ({ signal }) => vaani.voices.list({}, { signal }),
  })
  const tags = languages.data?.data.map((one) => one.language) ?? [language]
  const cloned = voices.data?.data.map(({ voice_id, name }) => [voice_id, name] as const) ?? []
  return (
    <div className="choices">
      <Choice name="language" label={t.playground.language} options={tags} initial={language} />
      <Choice name="voice" label={t.playground.voice} options={[...builtIn, ...cloned]} />
      {children}
    </div>
  )
}
