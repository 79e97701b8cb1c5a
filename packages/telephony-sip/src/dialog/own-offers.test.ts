import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { withAudio } from '../../test/support/scripted-trunk.ts'
import { talk } from '../../test/support/talk.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf, type Headers, type SipRequest } from '../message/message.ts'

const MINUTE_MS = 60_000
const ELSEWHERE: Headers = [['contact', '<sip:elsewhere@192.0.2.3:5060>']]

const methods = (requests: readonly SipRequest[]) => requests.map(({ method }) => method)

describe('a re-INVITE of ours', () => {
  test.each([
    ['that is answered after its CANCEL', 487],
    ['that is not', undefined],
  ])('that gets a 183 only settles, and the call goes on as before: one %s', async (_case, status) => {
    const { call, trunk, clock, heard, asked } = await talk({
      onRequest: ({ method }) => (method === 'INVITE' ? 183 : 200),
    })
    trunk.onCancel((invite) => {
      if (status !== undefined) invite.respond(buildResponse(invite.request, { status }))
    })
    const results: boolean[] = []
    void call.setHold(true).then((isHeld) => results.push(isHeld))
    await clock.pass(31_000)
    expect(methods(asked()).slice(2)).toEqual(['INVITE'])
    await clock.pass(40_000)
    expect(results).toEqual([false])
    expect(methods(asked())).toContain('CANCEL')
    expect(heard).toEqual([])
    call.hangUp()
    await clock.pass(MINUTE_MS)
    expect(heard).toEqual(['ended completed agent'])
    expect(clock.pending()).toBe(0)
  })

  test('takes an answer that crosses its CANCEL', async () => {
    const { call, trunk, clock, heard } = await talk({
      onRequest: ({ method }) => (method === 'INVITE' ? 183 : 200),
    })
    trunk.onCancel((invite) =>
      invite.respond(buildResponse(invite.request, { status: 200, ...withAudio({ direction: 'recvonly' }) })),
    )
    const results: boolean[] = []
    void call.setHold(true).then((isHeld) => results.push(isHeld))
    await clock.pass(40_000)
    expect(results).toEqual([true])
    expect(heard).toEqual(['media sendonly'])
  })

  test.each([488, 403, 500, 603])('that is refused with %i leaves the call as it was', async (status) => {
    let isRefused = true
    const { call, clock, heard, asked, ask } = await talk({
      onRequest: ({ method }) =>
        method === 'INVITE' && isRefused ? { status, headers: ELSEWHERE } : withAudio(),
    })
    const isHeld = call.setHold(true)
    await clock.pass(MINUTE_MS)
    expect(await isHeld).toBe(false)
    isRefused = false
    // Not `sendonly`: there is no hold.
    await ask('UPDATE', withAudio())
    expect(heard).toEqual(['media sendrecv'])
    call.hangUp()
    await clock.pass(100)
    expect(asked().at(-1)).toMatchObject({ method: 'BYE', uri: 'sip:callee@192.0.2.2:5060' })
  })

  test('moves the remote target when it is accepted', async () => {
    const { call, clock, asked } = await talk({
      onRequest: () => {
        const { headers = [], ...parts } = withAudio()
        return { ...parts, headers: [...headers.filter(([name]) => name !== 'contact'), ...ELSEWHERE] }
      },
    })
    const isHeld = call.setHold(true)
    await clock.pass(100)
    await isHeld
    const ack = asked().findLast(({ method }) => method === 'ACK')
    expect(ack?.uri).toBe('sip:elsewhere@192.0.2.3:5060')
  })

  test('that is challenged has the same credentials in its ACK', async () => {
    const { call, clock, asked } = await talk({
      trunk: { username: 'vaani', password: 'secret' },
      onRequest: (request) =>
        headerOf(request, 'proxy-authorization') === undefined
          ? { status: 407, headers: [['proxy-authenticate', 'Digest realm="trunk", nonce="n"']] }
          : withAudio(),
    })
    const isHeld = call.setHold(true)
    await clock.pass(100)
    expect(await isHeld).toBe(true)
    const [invite, ack] = ['INVITE', 'ACK'].map((name) => asked().findLast(({ method }) => method === name))
    const shown = invite && headerOf(invite, 'proxy-authorization')
    expect(shown).toMatch(/^Digest /)
    expect(ack && headerOf(ack, 'proxy-authorization')).toBe(shown)
  })

  test('stays open when a 200 to an earlier one is repeated', async () => {
    const answers = [withAudio(), { status: 180 }]
    const { call, clock, ask, sent } = await talk({
      onRequest: () => answers.shift() ?? 200,
      // So the 200 to our first re-INVITE comes again.
      loses: (message) => headerOf(message, 'cseq') === '2 ACK',
    })
    void call.setHold(true)
    await clock.pass(100)
    void call.setHold(false)
    await clock.pass(1000)
    const acks = sent.filter((message) => headerOf(message, 'cseq') === '2 ACK')
    expect(acks.length).toBeGreaterThan(1)
    expect(await ask('INVITE', withAudio())).toMatchObject([{ status: 491 }])
  })
})

test('whatever the far end says to re-INVITEs, and whatever is lost, each settles, and no timer stays', async () => {
  const answer = fc.constantFrom(100, 183, 200, 302, 407, 408, 422, 481, 488, 491, 500, 503, 603)
  const plan = fc.record({
    answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
    loss: fc.constantFrom(0, 0.3, 0.6),
    seed: fc.nat(),
    theirs: fc.constantFrom('INVITE', 'UPDATE', undefined),
    hangUpMs: fc.integer({ min: 0, max: 120_000 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ answers, loss, seed, theirs, hangUpMs }) => {
      const random = seededRandom(seed)
      const network = { isLossy: false }
      const said = [...answers]
      const { call, clock, heard, ask } = await talk({
        loses: () => network.isLossy && random() < loss,
        onRequest({ method }) {
          if (method !== 'INVITE') return 200
          const status = said.shift() ?? 200
          return status === 200 ? withAudio() : { status, headers: [['min-se', '3600']] }
        },
      })
      network.isLossy = true
      const settled: boolean[] = []
      for (const held of [true, false]) void call.setHold(held).then((isAgreed) => settled.push(isAgreed))
      if (theirs) await ask(theirs, withAudio())
      await clock.pass(hangUpMs)
      call.hangUp()
      await clock.pass(400_000)
      expect(settled).toHaveLength(2)
      expect(heard.filter((line) => line.startsWith('ended'))).toHaveLength(1)
      expect(clock.pending()).toBe(0)
    }),
    { numRuns: 100 },
  )
})
