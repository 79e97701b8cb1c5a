import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortId } from '../../parts/short-id.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { VoiceSample } from './voice-sample.tsx'
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
          <PageHeader title={voice.name} tab={shortId(id)}>
            <VoiceStatus of={voice} />
          </PageHeader>
          <Facts
            of={[
              [t.common.id, <CopiedId key="id" id={voice.voice_id} />],
              [t.voices.language, voice.language],
              [t.voices.kind, t.codes.voiceKinds[voice.kind]],
              [t.voices.created, <Time key="created" at={voice.created_at} />],
            ]}
          />
          {maySpeak && voice.status === 'ready' && <VoiceSample of={voice} />}
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
