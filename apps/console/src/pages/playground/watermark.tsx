import type { WatermarkDetection } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { curlForm } from '../../parts/curl.ts'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { AsCode } from './as-code.tsx'

/** Says whether a recording carries the watermark of the server. */
export function Watermark() {
  const [name, setName] = useState<string>()
  const detect = useMutation({ mutationFn: (audio: File) => vaani.watermark.detect({ audio }) })
  function take(file: File | undefined) {
    if (file === undefined) return
    setName(file.name)
    detect.mutate(file)
  }
  return (
    <>
      <div
        className="drop"
        // Without this, the browser would open the file.
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files[0])
        }}
      >
        <label htmlFor="recording">{t.watermark.file}</label>
        <input
          id="recording"
          type="file"
          accept="audio/*"
          aria-describedby="recording-hint"
          onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
        />
        <p id="recording-hint" className="hint">
          {t.watermark.hint}
        </p>
      </div>
      {detect.isPending && <Loading />}
      {detect.error && <Problem error={detect.error} />}
      {detect.data && name !== undefined && <Found found={detect.data} name={name} />}
      <AsCode
        command={curlForm('/v1/engine/watermark/detect', {}, { audio: 'recording.mp3' })}
        typescript={`const { detected, request_id } = await vaani.watermark.detect({ audio: 'recording.mp3' })
console.log(detected, request_id)`}
      />
    </>
  )
}

function Found({ found, name }: { found: WatermarkDetection; name: string }) {
  const { detected, payload_read, request_id, created_at, false_alarm_probability } = found
  return (
    <section className="found" aria-label={t.watermark.result} aria-live="polite">
      <Badge tone={detected ? 'good' : 'plain'}>
        {detected ? t.watermark.detected : t.watermark.notDetected}
      </Badge>
      {!detected && <p className="hint">{t.watermark.notDetectedHint}</p>}
      {detected && !payload_read && <p className="hint">{t.watermark.unread}</p>}
      {detected && payload_read && request_id === null && <p className="hint">{t.watermark.foreign}</p>}
      <Facts
        of={[
          [t.watermark.recording, name],
          [t.watermark.request, request_id && <CopiedId key="id" id={request_id} />],
          [t.watermark.created, created_at && <Time key="at" at={created_at} />],
          [t.watermark.falseAlarm, false_alarm_probability.toPrecision(2)],
          [t.playground.speed, detected ? found.speed : undefined],
          [t.playground.length, t.formats.duration(1000 * found.duration_seconds)],
        ]}
      />
      <JsonView of={found} />
    </section>
  )
}
