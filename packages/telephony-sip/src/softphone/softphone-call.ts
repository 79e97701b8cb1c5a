import type { Clock } from '../clock.ts'
import { DEFAULT_CODECS, createSrtpKey, offerAudio } from '../media/offer-audio.ts'
import type { MediaSession } from '../media/media-session.ts'
import type { Headers, SipRequest } from '../message/message.ts'
import type { CodecName } from '../sdp/description.ts'
import { answerOffer } from '../sdp/offer-answer.ts'
import { parseAudio } from '../sdp/parse-audio.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import { writeAudio } from '../sdp/write-audio.ts'
import type { ServerTransaction, Transactions } from '../transaction/transactions.ts'
import type { PhoneDialog } from './phone-dialog.ts'
import { createPhoneVoice, type PhoneVoice } from './phone-voice.ts'
import type { PhoneBehaviour } from './simulator-numbers.ts'

/** Cause 41 of Q.850, temporary failure: the line dropped. */
const LINE_DROPPED: Headers = [['reason', 'Q.850;cause=41;text="Temporary failure"']]

export interface SoftphoneCallOptions {
  readonly invite: ServerTransaction
  readonly dialog: PhoneDialog
  readonly behaviour: PhoneBehaviour
  readonly ringMs: number
  readonly media: MediaSession
  readonly localAddress: string
  readonly codecs?: readonly CodecName[] | undefined
  readonly transactions: Pick<Transactions, 'request'>
  readonly clock: Clock
  readonly hear: (frame: Int16Array) => void
  readonly onEnded: () => void
}

/** One call that the softphone takes. */
export class SoftphoneCall {
  readonly #options: SoftphoneCallOptions
  #state: 'ringing' | 'answered' | 'ended' = 'ringing'
  readonly #voice: PhoneVoice
  #version = 0
  readonly #timers: (() => void)[] = []

  constructor(options: SoftphoneCallOptions) {
    this.#options = options
    this.#voice = createPhoneVoice(options.behaviour, options.media.sampleRateHz)
  }

  /** Rings, or refuses at once. */
  start(): void {
    const { behaviour, ringMs } = this.#options
    if (behaviour.refuses && !behaviour.refuses.rings) return this.#refuse()
    this.#respond(180)
    if (behaviour.neverAnswers) return
    this.#after(ringMs, () => (behaviour.refuses ? this.#refuse() : this.#answer()))
  }

  /** Advances the media by 20 ms. */
  tick(): void {
    if (this.#state !== 'answered') return
    const heard = this.#options.media.tick(this.#voice.say())
    this.#options.hear(heard)
    if (this.#voice.hear(heard)) this.hangUp()
  }

  /** Takes the CANCEL of the INVITE. */
  cancel(): void {
    if (this.#state !== 'ringing') return
    this.#respond(487)
    this.#end()
  }

  /** Takes a request of the dialog other than CANCEL and ACK. */
  take(transaction: ServerTransaction): void {
    const { dialog } = this.#options
    const { request } = transaction
    const respond = (status: number) => transaction.respond(dialog.respond(request, status))
    switch (request.method) {
      case 'BYE':
        respond(200)
        return this.#end()
      case 'INVITE':
        return this.#reagree(transaction)
      case 'OPTIONS':
      case 'UPDATE':
        return respond(200)
      default:
        return respond(405)
    }
  }

  hangUp(headers?: Headers): void {
    if (this.#state === 'ringing') this.#respond(480)
    else if (this.#state === 'answered') {
      const { transactions, dialog } = this.#options
      const ignore = () => {}
      const user = { onProvisional: ignore, onFinal: ignore, onFailure: ignore }
      transactions.request(dialog.request('BYE', headers), dialog.peer, user)
    }
    this.#end()
  }

  #answer(): void {
    const { invite, dialog, behaviour, media } = this.#options
    const sdp = this.#agree(invite.request)
    if (sdp === undefined) {
      this.#respond(488)
      return this.#end()
    }
    this.#state = 'answered'
    invite.respond(dialog.respond(invite.request, 200, { sdp }))
    invite.onUnacknowledged(() => this.hangUp())
    const { ends, presses } = behaviour
    if (ends)
      this.#after(ends.afterMs, () => this.hangUp(ends.ending.endedBy === 'carrier' ? LINE_DROPPED : []))
    for (const [index, digit] of [...(presses?.digits ?? '')].entries())
      this.#after((presses?.afterMs ?? 0) + index * (presses?.everyMs ?? 0), () => media.press(digit))
  }

  /** Returns our answer to the offer of a request, if there is one that suits. */
  #agree({ body }: SipRequest): string | undefined {
    const { media, localAddress, codecs = DEFAULT_CODECS } = this.#options
    try {
      const offer = parseAudio(new TextDecoder().decode(body))
      const ours = offerAudio({
        address: localAddress,
        port: media.localPort,
        codecs,
        ...(offer.srtp && { srtp: createSrtpKey() }),
      })
      const { answer, agreed } = answerOffer(ours, offer)
      media.agree(agreed)
      this.#version += 1
      return writeAudio(answer, { sessionId: 1, version: this.#version })
    } catch (error) {
      if (error instanceof SdpError) return undefined
      throw error
    }
  }

  #reagree(transaction: ServerTransaction): void {
    const { dialog } = this.#options
    const sdp = this.#agree(transaction.request)
    const { request } = transaction
    transaction.respond(
      sdp === undefined ? dialog.respond(request, 488) : dialog.respond(request, 200, { sdp }),
    )
  }

  #refuse(): void {
    this.#respond(this.#options.behaviour.refuses?.ending.sipStatus ?? 480)
    this.#end()
  }

  #respond(status: number): void {
    const { invite, dialog } = this.#options
    invite.respond(dialog.respond(invite.request, status))
  }

  #after(delayMs: number, action: () => void): void {
    this.#timers.push(this.#options.clock.after(delayMs, action))
  }

  #end(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    for (const disarm of this.#timers) disarm()
    this.#options.media.close()
    this.#options.onEnded()
  }
}
