import type { Headers } from '../message/message.ts'
import type { AgreedAudio, AudioDescription, Direction } from '../sdp/description.ts'
import { answerOffer, readAnswer } from '../sdp/offer-answer.ts'
import { parseAudio } from '../sdp/parse-audio.ts'
import { writeAudio } from '../sdp/write-audio.ts'

/** A session description, to send in a message. */
export interface SdpBody {
  readonly headers: Headers
  readonly body: Uint8Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Offers and answers of one call (RFC 3264). */
export class Negotiation {
  readonly #ours: AudioDescription
  readonly #sessionId: number
  readonly #signallingAddress: string
  #offered: AudioDescription
  #version = 0
  /** What we wish: a hold of ours lasts through offers of the far end. */
  #direction: Direction = 'sendrecv'

  /** @param ours what we support; its key, if any, is that of our direction */
  constructor(ours: AudioDescription, sessionId: number, signallingAddress: string) {
    this.#ours = ours
    this.#offered = ours
    this.#sessionId = sessionId
    this.#signallingAddress = signallingAddress
  }

  /** Makes an offer of all that we support. */
  offer(direction: Direction = this.#direction): SdpBody {
    this.#offered = { ...this.#ours, direction }
    return this.#write(this.#offered)
  }

  /** Reads the answer to the latest offer. @throws SdpError */
  accept(body: Uint8Array): AgreedAudio {
    const agreed = readAnswer(this.#offered, parseAudio(decoder.decode(body)))
    this.#direction = this.#offered.direction
    return this.#locate(agreed)
  }

  /** Answers an offer of the far end. @throws SdpError */
  answer(body: Uint8Array): { readonly answer: SdpBody; readonly agreed: AgreedAudio } {
    const { answer, agreed } = answerOffer(
      { ...this.#ours, direction: this.#direction },
      parseAudio(decoder.decode(body)),
    )
    return { answer: this.#write(answer), agreed: this.#locate(agreed) }
  }

  #locate(agreed: AgreedAudio): AgreedAudio {
    return { ...agreed, signallingAddress: this.#signallingAddress }
  }

  #write(description: AudioDescription): SdpBody {
    this.#version += 1
    const text = writeAudio(description, { sessionId: this.#sessionId, version: this.#version })
    return { headers: [['content-type', 'application/sdp']], body: encoder.encode(text) }
  }
}
