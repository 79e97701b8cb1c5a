import { describe, expect, test } from 'vitest'
import {
  CALL,
  collect,
  listen,
  openScriptedTrunk,
  theirRequest,
  US,
  withAudio,
} from '../../test/support/scripted-trunk.ts'
import { offer } from '../../test/support/talk.ts'
import { buildResponse, type ResponseParts } from '../message/build.ts'
import { headerOf, headersOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'

const RELIABLE: Headers = [
  ['require', '100rel'],
  ['rseq', '1'],
]

/** Places a call that gets a provisional response. */
async function ring(provisional: Omit<ResponseParts, 'status'> = {}) {
  let invite: ServerTransaction | undefined
  const opened = openScriptedTrunk((transaction, respond) => {
    if (transaction.request.method !== 'INVITE') return respond(200)
    invite = transaction
    respond(183, provisional)
  })
  const { heard, listener } = listen()
  const call = opened.agent.call(CALL, listener)
  await opened.clock.pass(100)
  const get = () => {
    if (!invite) throw new Error('No INVITE has come')
    return invite
  }
  let sequence = 0
  const ask = async (method: string, parts: { headers?: Headers; body?: Uint8Array } = {}) => {
    const finals: SipResponse[] = []
    opened.trunk.request(theirRequest(get().request, method, (sequence += 1), parts), US, collect(finals))
    await opened.clock.pass(10)
    return finals
  }
  const answer = async (parts: Omit<ResponseParts, 'status'>) => {
    get().respond(buildResponse(get().request, { status: 200, toTag: 'theirs', ...parts }))
    await opened.clock.pass(100)
  }
  return { ...opened, heard, call, ask, answer }
}

const reliably = (parts: ReturnType<typeof withAudio>): Omit<ResponseParts, 'status'> => ({
  ...parts,
  headers: [...(parts.headers ?? []), ...RELIABLE],
})

describe('an UPDATE before the answer', () => {
  test('with an offer changes the early media, once the far end has answered reliably', async () => {
    const { ask, heard } = await ring(reliably(withAudio()))
    const [response] = await ask('UPDATE', offer('sendonly'))
    expect(response?.status).toBe(200)
    expect(response && headerOf(response, 'contact')).toMatch(/^<sip:/)
    expect(response && headersOf(response, 'allow')).toContain('UPDATE')
    expect(response?.body.length).toBeGreaterThan(0)
    expect(heard).toEqual(['ringing', 'media sendrecv', 'media recvonly'])
  })

  test.each([
    ['no answer to our offer', {}],
    ['an unreliable answer', withAudio()],
  ])('with an offer is refused after %s: ours is still open', async (_what, provisional) => {
    const { ask, heard } = await ring(provisional)
    const before = [...heard]
    expect(await ask('UPDATE', offer('sendonly'))).toMatchObject([{ status: 491 }])
    expect(heard).toEqual(before)
  })

  test('without an offer only moves the target', async () => {
    const { ask, call, clock, heard, answer, asked } = await ring()
    const headers = [['contact', '<sip:elsewhere@192.0.2.3:5060>']] as const
    expect(await ask('UPDATE', { headers })).toMatchObject([{ status: 200 }])
    expect(heard).toEqual(['ringing'])
    const { body = new Uint8Array(), headers: typed = [] } = withAudio()
    // The answer names no other.
    await answer({ body, headers: typed.filter(([name]) => name !== 'contact') })
    call.hangUp()
    await clock.pass(100)
    expect(asked().at(-1)).toMatchObject({ method: 'BYE', uri: 'sip:elsewhere@192.0.2.3:5060' })
  })

  test('that cannot be accepted leaves all as it was', async () => {
    const { ask, heard } = await ring(reliably(withAudio()))
    const other = offerOf(withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] }))
    expect(await ask('UPDATE', other)).toMatchObject([{ status: 488 }])
    expect(heard).toEqual(['ringing', 'media sendrecv'])
  })

  test('counts for the order of requests after the answer', async () => {
    const { ask, answer, clock, trunk, asked } = await ring(reliably(withAudio()))
    await ask('UPDATE')
    await answer({ headers: [['contact', '<sip:callee@192.0.2.2:5060>']] })
    const [invite] = asked()
    const finals: SipResponse[] = []
    trunk.request(theirRequest(invite ?? raise(), 'OPTIONS', 1), US, collect(finals))
    await clock.pass(10)
    expect(finals).toMatchObject([{ status: 500 }])
  })

  test.each(['BYE', 'INFO', 'OPTIONS'])('is all that is taken: %s is not', async (method) => {
    const { ask, heard } = await ring()
    expect(await ask(method)).toMatchObject([{ status: 481 }])
    expect(heard).toEqual(['ringing'])
  })

  test('of another dialog is refused', async () => {
    const { trunk, clock, asked } = await ring()
    const [invite] = asked()
    const update = theirRequest(invite ?? raise(), 'UPDATE', 1)
    const headers = update.headers.map(([name, value]) =>
      name === 'from' ? ([name, value.replace('theirs', 'forged')] as const) : ([name, value] as const),
    )
    const finals: SipResponse[] = []
    trunk.request({ ...update, headers }, US, collect(finals))
    await clock.pass(10)
    expect(finals).toMatchObject([{ status: 481 }])
  })
})

describe('a reliable answer before the 200', () => {
  test('counts, not a copy of it in the 200 after an UPDATE', async () => {
    const { ask, answer, heard } = await ring(reliably(withAudio()))
    await ask('UPDATE', offer('sendonly'))
    await answer(withAudio())
    expect(heard).toEqual(['ringing', 'media sendrecv', 'media recvonly', 'answered'])
  })

  test('counts for its own fork only', async () => {
    const { answer, heard } = await ring(reliably(withAudio()))
    await answer({ ...withAudio({ direction: 'sendonly' }), toTag: 'another' })
    expect(heard).toEqual(['ringing', 'media sendrecv', 'media recvonly', 'answered'])
  })
})

const offerOf = ({ headers = [], body = new Uint8Array() }: ReturnType<typeof withAudio>) => ({
  headers,
  body,
})

const raise = (): SipRequest => {
  throw new Error('No INVITE was sent')
}
