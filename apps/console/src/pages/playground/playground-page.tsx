import { PageHeader } from '../../parts/page-header.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChoice } from '../../parts/use-choice.ts'
import { t } from '../../text/text.ts'
import { Chat } from './chat.tsx'
import { Clone } from './clone.tsx'
import { Live } from './live.tsx'
import { Reading } from './reading.tsx'
import { Speaking } from './speaking.tsx'
import { Watermark } from './watermark.tsx'

const TRIALS = ['speech', 'live', 'clone', 'watermark', 'document', 'chat'] as const

/** What the server does, tried with one's own words and files. Which of it is in the address. */
export function PlaygroundPage() {
  const [chosen = 'speech', choose] = useChoice('try', TRIALS)
  return (
    <>
      <PageHeader title={t.playground.title} />
      <Tabs
        label={t.playground.title}
        tabs={TRIALS.map((name) => [name, t.playground.trials[name]] as const)}
        chosen={chosen}
        onChoose={choose}
      />
      {chosen === 'speech' && <Speaking />}
      {chosen === 'live' && <Live />}
      {chosen === 'clone' && <Clone />}
      {chosen === 'watermark' && <Watermark />}
      {chosen === 'document' && <Reading />}
      {chosen === 'chat' && <Chat />}
    </>
  )
}
