import { addGap } from '@vaani/telephony/line'
import type { WorkerCall, WorkerCallRequest } from '@vaani/telephony/line'
import type { CarrierEvent } from '@vaani/telephony'
import type { RawCallback } from '../provider/provider.ts'
import { createLeftCalls } from './left-calls.ts'
import {
  type CallHooks,
  type LineSettings,
  openCall,
  type OpenCall,
  openTakenCall,
  statusUrlOf,
} from './open-call.ts'
import type { ProviderCall } from './provider-call.ts'
import { referenceOf } from './stream-token.ts'

/** All calls of one line worker. */
export interface ProviderCalls {
  begin(request: WorkerCallRequest): void
  /** Takes a call that comes in. Returns the token that its media must show. */
  take(call: WorkerCall, callSid: string): string
  hangUp(id: number): void
  /** Advances every call by 20 ms: all of them send theirs before any does work that can wait. */
  tick(): void
  /** Takes a callback at the URL of a call. Returns false if it is not authentic. */
  takeCallback(reference: string, callback: RawCallback): boolean
  /** Returns the call whose token this is, once. */
  redeem(token: string): ProviderCall | undefined
}

export interface ProviderCallsOptions extends LineSettings {
  readonly pacingCells: Int32Array<SharedArrayBuffer>
  readonly emit: (id: number, event: CarrierEvent) => void
  /** Called when the last call has ended. */
  readonly onIdle: () => void
}

interface CallInProgress extends OpenCall {
  sentAtMs?: number
}

/** Creates the calls of a line, none at first. */
export function createProviderCalls(options: ProviderCallsOptions): ProviderCalls {
  const { provider, sendRequest, publicUrl, monotonicMs, pacingCells, emit, onIdle } = options
  const calls = new Map<number, CallInProgress>()
  const references = new Map<string, CallInProgress>()
  const left = createLeftCalls({ hangUp: (callSid) => sendRequest(provider.hangUp(callSid)), monotonicMs })

  /** Counts the gap between two frames of one utterance; silence is not sent. */
  const countGap = (call: CallInProgress, isSent: boolean) => {
    if (!isSent) return delete call.sentAtMs
    const nowMs = monotonicMs()
    if (call.sentAtMs !== undefined) addGap(pacingCells, nowMs - call.sentAtMs)
    return (call.sentAtMs = nowMs)
  }

  const hooksOf = (id: number, lastsMs: number): CallHooks => ({
    emit(event) {
      emit(id, event)
      if (event.type === 'ended' && calls.delete(id) && calls.size === 0) onIdle()
    },
    onOver(isLeft, reference) {
      references.delete(reference)
      if (isLeft) left.add(reference, lastsMs)
    },
  })
  const add = (id: number, open: OpenCall) => {
    calls.set(id, open)
    references.set(open.reference, open)
  }

  return {
    begin(request) {
      const { id, ringTimeoutMs, maxDurationMs } = request
      add(id, openCall(request, options, hooksOf(id, ringTimeoutMs + maxDurationMs)))
    },
    take(call, callSid) {
      const { id, maxDurationMs } = call
      const open = openTakenCall({ ...call, callSid }, options, hooksOf(id, maxDurationMs))
      add(id, open)
      return open.token.value
    },
    hangUp: (id) => calls.get(id)?.call.hangUp(),
    tick() {
      for (const open of calls.values()) countGap(open, open.call.tick())
      for (const { audio } of calls.values()) audio.flush()
    },
    takeCallback(reference, raw) {
      if (!provider.isAuthentic({ ...raw, url: statusUrlOf(publicUrl, reference) })) return false
      const callback = provider.readCallback(raw.body)
      const open = references.get(reference)
      if (callback && open) open.call.takeCallback(callback)
      else if (callback) left.report(reference, callback)
      return true
    },
    redeem(token) {
      const open = references.get(referenceOf(token))
      return open?.token.redeem(token, monotonicMs()) ? open.call : undefined
    },
  }
}
