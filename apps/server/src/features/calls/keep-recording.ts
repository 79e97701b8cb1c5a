import { rm } from 'node:fs/promises'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { CallEvent } from './events.ts'
import type { KeptRecording, RecordingStore } from './recording-store.ts'
import type { SessionEnd } from './session.ts'

/** Keeps and removes recordings without ever failing a call. */
export interface RecordingKeeper {
  /** Stores the recording, and seals the transcript. A full disk or an unreachable store loses both, but does not affect the end of the call. */
  keep(
    callId: string,
    end: Pick<SessionEnd, 'recordingPath' | 'recordingFailure' | 'turns'>,
  ): Promise<KeptRecording | undefined>
  /** Removes a recording that no call refers to. If that fails, it is unreadable, because its key was never written. */
  discard(callId: string): Promise<void>
}

export function createRecordingKeeper({
  recordings,
  events,
  log,
}: {
  recordings: RecordingStore
  events: Events<CallEvent>
  log: Logger
}): RecordingKeeper {
  return {
    async keep(callId, { recordingPath, recordingFailure, turns }) {
      let reason = recordingFailure
      try {
        if (recordingPath !== undefined) return await recordings.keep(callId, recordingPath, turns)
      } catch (error) {
        log.error({ error, call_id: callId }, 'A recording could not be kept')
        reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      } finally {
        if (recordingPath !== undefined)
          await rm(recordingPath, { force: true }).catch((error: unknown) =>
            log.warn(
              { error, call_id: callId },
              'An unencrypted recording stays on disk until this process ends',
            ),
          )
      }
      if (reason !== undefined) events.record('recording_lost', { call_id: callId, reason })
      return undefined
    },
    async discard(callId) {
      await recordings
        .discard(callId)
        .catch((error: unknown) => log.warn({ error, call_id: callId }, 'A recording was left behind'))
    },
  }
}
