import { createConfirmedAudio, createWavRecorder } from '@vaani/telephony/line'
import type { ConfirmedAudio, WorkerCall, WorkerCallRequest } from '@vaani/telephony/line'
import { callToPlace, callToTake } from './call-state.ts'
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

/** Returns the URL of the media of all calls. */
export const mediaUrlOf = (publicUrl: string): string => `${publicUrl.replace(/^http/, 'ws')}/media`

/** How a call tells of its progress, and of its end. */
export interface CallHooks extends Pick<ProviderCallOptions, 'emit'> {
  readonly onOver: (isLeft: boolean, reference: string) => void
}

/** Opens a call to be placed, which asks for itself at its first tick. */
export function openCall(request: WorkerCallRequest, settings: LineSettings, hooks: CallHooks): OpenCall {
  const { provider, publicUrl } = settings
  const { to, fromCallerId: from = settings.callerId, ringTimeoutMs, maxDurationMs } = request
  const identity = identify(settings, ringTimeoutMs)
  const { reference, token } = identity
  const creation = provider.createCall({
    to,
    from,
    ringTimeoutMs,
    maxDurationMs,
    statusUrl: statusUrlOf(publicUrl, reference),
    mediaUrl: mediaUrlOf(publicUrl),
    token: token.value,
  })
  return assemble(request, {
    settings,
    hooks,
    identity,
    start: { initial: callToPlace(ringTimeoutMs), creation },
  })
}

/** Opens a call that comes in. It is answered once its media shows the token. */
export function openTakenCall(
  request: WorkerCall & { readonly callSid: string },
  settings: LineSettings,
  hooks: CallHooks,
): OpenCall {
  const initial = callToTake(request.callSid, settings.monotonicMs())
  return assemble(request, { settings, hooks, identity: identify(settings, 0), start: { initial } })
}

interface Identity {
  readonly reference: string
  readonly token: StreamToken
}

function identify({ randomBytes, monotonicMs }: LineSettings, ringTimeoutMs: number): Identity {
  const reference = randomBytes(REFERENCE_BYTES).toString('hex')
  const expiresAtMs = monotonicMs() + ringTimeoutMs + TOKEN_SPARE_MS
  return { reference, token: createStreamToken({ reference, randomBytes, expiresAtMs }) }
}

function assemble(
  request: WorkerCall,
  options: {
    readonly settings: LineSettings
    readonly hooks: CallHooks
    readonly identity: Identity
    readonly start: Pick<ProviderCallOptions, 'initial' | 'creation'>
  },
): OpenCall {
  const { settings, hooks, identity, start } = options
  const { sampleRateHz } = settings.provider.stream.encoding
  const { frameSamples } = request.ring
  const audio = createConfirmedAudio({
    request,
    startRecorder: (path) => createWavRecorder({ path, sampleRateHz, frameSamples }),
  })
  const call = new ProviderCall({
    ...settings,
    ...start,
    request,
    audio,
    frameSamples,
    emit: hooks.emit,
    onOver: (isLeft) => hooks.onOver(isLeft, identity.reference),
  })
  return { call, audio, ...identity }
}
