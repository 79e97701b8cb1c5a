import { createConfirmedAudio, createWavRecorder } from '@vaani/telephony/line'
import type { ConfirmedAudio, WorkerCallRequest } from '@vaani/telephony/line'
import { ProviderCall, type ProviderCallOptions } from './provider-call.ts'
import { createStreamToken, type StreamToken } from './stream-token.ts'

/** What all calls of a line share. */
export interface LineSettings extends Pick<
  ProviderCallOptions,
  'provider' | 'sendRequest' | 'monotonicMs' | 'epochMs'
> {
  /** URL at which the provider reaches the listener, without a slash at its end. */
  readonly publicUrl: string
  /** The number shown if a call names none. */
  readonly callerId: string
  readonly randomBytes: (size: number) => Buffer
}

/** A call, and how the provider's requests find it. */
export interface OpenCall {
  readonly call: ProviderCall
  readonly audio: ConfirmedAudio
  /** Part of the URL of its reports: unguessable, but no secret. */
  readonly reference: string
  readonly token: StreamToken
}

const REFERENCE_BYTES = 16
/** For how long a token is good beyond the ringing: requests, queues and slow networks. */
const TOKEN_SPARE_MS = 120_000

/** Returns the URL of a call's reports. */
export const statusUrlOf = (publicUrl: string, reference: string): string =>
  `${publicUrl}/status/${reference}`

/** Opens a call, which asks for itself at its first tick. */
export function openCall(
  request: WorkerCallRequest,
  settings: LineSettings,
  {
    emit,
    onOver,
  }: Pick<ProviderCallOptions, 'emit'> & { readonly onOver: (isLeft: boolean, reference: string) => void },
): OpenCall {
  const { provider, publicUrl, randomBytes, monotonicMs } = settings
  const { sampleRateHz } = provider.stream.encoding
  const { to, fromCallerId: from = settings.callerId, ringTimeoutMs, maxDurationMs } = request
  const { frameSamples } = request.ring
  const reference = randomBytes(REFERENCE_BYTES).toString('hex')
  const expiresAtMs = monotonicMs() + ringTimeoutMs + TOKEN_SPARE_MS
  const token = createStreamToken({ reference, randomBytes, expiresAtMs })
  const audio = createConfirmedAudio({
    request,
    startRecorder: (path) => createWavRecorder({ path, sampleRateHz, frameSamples }),
  })
  const creation = provider.createCall({
    to,
    from,
    ringTimeoutMs,
    maxDurationMs,
    statusUrl: statusUrlOf(publicUrl, reference),
    mediaUrl: `${publicUrl.replace(/^http/, 'ws')}/media`,
    token: token.value,
  })
  const call = new ProviderCall({
    ...settings,
    request,
    creation,
    audio,
    frameSamples,
    emit,
    onOver: (isLeft) => onOver(isLeft, reference),
  })
  return { call, audio, reference, token }
}
