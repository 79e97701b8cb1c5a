import type { ResponseParts } from '../../src/message/build.ts'
import type { Headers, SipRequest, SipResponse } from '../../src/message/message.ts'
import type { Trunk } from '../../src/agent/user-agent.ts'
import type { NetworkOptions } from '../lossy-transport.ts'
import type { Direction } from '../../src/sdp/description.ts'
import {
  CALL,
  collect,
  listen,
  openScriptedTrunk,
  theirRequest,
  US,
  withAudio,
  type Script,
} from './scripted-trunk.ts'

interface TalkOptions {
  readonly answerHeaders?: Headers
  readonly trunk?: Partial<Trunk>
  readonly loses?: NetworkOptions['loses']
  /** What the trunk says to later requests. By default 200, with audio. */
  readonly onRequest?: (request: SipRequest) => number | Partial<ResponseParts>
}

/** Places a call that is answered. */
export async function talk(given: TalkOptions = {}) {
  const { answerHeaders = [], trunk = {}, loses = () => false, onRequest = () => withAudio() } = given
  let invite: SipRequest | undefined
  const script: Script = ({ request }, respond) => {
    const isFirst = request.method === 'INVITE' && invite === undefined
    const answer: number | Partial<ResponseParts> = isFirst ? withAudio() : onRequest(request)
    if (isFirst) invite = request
    if (typeof answer === 'number') return respond(answer)
    const { status = 200, headers = [], ...parts } = answer
    respond(status, { ...parts, headers: [...headers, ...(isFirst ? answerHeaders : [])] })
  }
  const opened = openScriptedTrunk(script, { trunk, loses })
  const { heard, listener } = listen()
  const call = opened.agent.call(CALL, listener)
  await opened.clock.pass(100)
  heard.splice(0)
  const theirs = (method: string, sequence: number, parts: { headers?: Headers; body?: Uint8Array } = {}) => {
    if (!invite) throw new Error('No INVITE has come')
    return theirRequest(invite, method, sequence, parts)
  }
  let sequence = 0
  /** Sends a request of the far end. Resolves with its final responses. */
  const ask = async (method: string, parts: { headers?: Headers; body?: Uint8Array } = {}) => {
    const finals: SipResponse[] = []
    opened.trunk.request(theirs(method, (sequence += 1), parts), US, collect(finals))
    await opened.clock.pass(10)
    return finals
  }
  /** Acknowledges the last INVITE of the far end. */
  const acknowledge = async (parts: { headers?: Headers; body?: Uint8Array } = {}) => {
    opened.trunk.acknowledge(theirs('ACK', sequence, parts), US)
    await opened.clock.pass(10)
  }
  return { ...opened, heard, call, ask, acknowledge }
}

/** Parts of a request that offers audio. */
export const offer = (direction: Direction) => {
  const { headers = [], body = new Uint8Array() } = withAudio({ direction })
  return { headers, body }
}
