import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { LONGEST_SECONDS, type Recording } from './use-recorder.ts'

/** The quietest level that is shown. */
const QUIETEST_DBFS = -60

/** Records with the microphone: what to read, how loud it is, and what was recorded. */
export function Recorder(props: {
  recording: Recording
  start: () => Promise<void>
  stop: () => void
  onStart: () => void
}) {
  const { recording, start, stop, onStart } = props
  const { phase, seconds, levelDbfs, wav, error } = recording
  const isOn = phase === 'asked' || phase === 'recording'
  return (
    <section className="recorder" aria-label={t.clone.recording}>
      <p className="hint">{t.clone.hint}</p>
      <blockquote>{t.clone.read}</blockquote>
      <div className="line">
        <button
          type="button"
          className={wav === undefined ? 'primary' : undefined}
          disabled={phase === 'asked'}
          onClick={() => {
            if (isOn) return stop()
            onStart()
            void start()
          }}
        >
          {isOn ? t.clone.stop : wav === undefined ? t.clone.record : t.clone.again}
        </button>
        <span role="timer" className="seconds">
          {t.clone.seconds(t.formats.fixed(seconds, 1), LONGEST_SECONDS)}
        </span>
        {phase === 'recording' && (
          <meter
            aria-label={t.clone.level}
            min={QUIETEST_DBFS}
            low={-45}
            high={-6}
            optimum={-20}
            max={0}
            value={Math.max(QUIETEST_DBFS, levelDbfs)}
          />
        )}
      </div>
      {error && <NoMicrophone error={error} />}
      {wav !== undefined && <Player wav={wav} name={t.clone.recording} />}
    </section>
  )
}

function NoMicrophone({ error }: { error: Error }) {
  const text = !isSecureContext
    ? t.clone.noTls
    : error.name === 'NotAllowedError'
      ? t.clone.notAllowed
      : error.name === 'NotFoundError'
        ? t.clone.notFound
        : undefined
  if (text === undefined) return <Problem error={error} />
  return (
    <p role="alert" className="problem">
      {text}
    </p>
  )
}
