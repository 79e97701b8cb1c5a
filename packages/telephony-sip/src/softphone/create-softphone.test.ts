import { createPacer } from '@vaani/telephony/line'
import { describe, expect, test } from 'vitest'
import { openScriptedCaller } from '../../test/support/scripted-caller.ts'
import type { OnFinished } from '../../test/support/softphone-line.ts'
import { headerOf } from '../message/message.ts'
import { createSoftphone, type SoftphoneOptions } from './create-softphone.ts'
import { SIMULATOR_NUMBERS } from './simulator-numbers.ts'

const ANSWERS = '+9779812345678'
const { busy, rejects, neverAnswers, unreachable, pressesDigits, hangsUp, lineDrops, echoes } =
  SIMULATOR_NUMBERS

async function callPhone(onFinished: OnFinished, options: SoftphoneOptions = {}) {
  const phone = await createSoftphone({ ringMs: 20, ...options })
  onFinished(() => phone.close())
  const { host: address, port = 0, transport } = phone.trunk
  const { caller, close } = await openScriptedCaller({ transport, address, port })
  onFinished(close)
  return caller
}

describe.concurrent('the softphone', () => {
  test('numbers that refuse do so with their SIP status, ringing first or not', async ({
    onTestFinished,
  }) => {
    const caller = await callPhone(onTestFinished)
    for (const [number, expected] of [
      [busy.number, [486]],
      [unreachable.number, [404]],
      [rejects.number, [180, 603]],
    ] as const) {
      const statuses: number[] = []
      const final = await caller.invite(number, (status) => statuses.push(status))
      expect([...statuses, final.status]).toEqual(expected)
    }
  })

  test('a number that never answers rings until it is canceled', async ({ onTestFinished }) => {
    const caller = await callPhone(onTestFinished)
    const { status } = await caller.invite(neverAnswers.number, () => caller.cancel())
    expect(status).toBe(487)
  })

  test('any other number answers, takes requests within the call, and ends on BYE', async ({
    onTestFinished,
  }) => {
    const caller = await callPhone(onTestFinished)
    const answer = await caller.invite(ANSWERS)
    expect(answer.status).toBe(200)
    expect(headerOf(answer, 'server')).toContain('simulator')
    caller.acknowledge(answer)
    expect(await caller.send('OPTIONS', answer)).toMatchObject({ status: 200 })
    expect(await caller.send('MESSAGE', answer)).toMatchObject({ status: 405 })
    expect(await caller.send('BYE', answer)).toMatchObject({ status: 200 })
    expect(await caller.send('BYE', answer)).toMatchObject({ status: 481 })
  })

  test('a caller without a common codec is answered 488', async ({ onTestFinished }) => {
    const caller = await callPhone(onTestFinished, { codecs: ['G722'] })
    expect(await caller.invite(ANSWERS)).toMatchObject({ status: 488 })
  })

  test.for([
    ['hangs up', hangsUp.number, undefined],
    ['drops the line, and says so', lineDrops.number, 'Q.850;cause=41;text="Temporary failure"'],
  ] as const)('a number %s', async ([, number, reason], { onTestFinished }) => {
    const caller = await callPhone(onTestFinished)
    caller.acknowledge(await caller.invite(number))
    const bye = await caller.nextRequest()
    expect(bye.method).toBe('BYE')
    expect(headerOf(bye, 'reason')).toBe(reason)
  })

  test('keys are pressed as telephone events', async ({ onTestFinished }) => {
    const caller = await callPhone(onTestFinished)
    const pacer = createPacer({
      intervalMs: 20,
      monotonicMs: () => performance.now(),
      onTick: () => caller.media.tick(null),
    })
    onTestFinished(() => pacer.stop())
    const keys = new Promise<string>((resolve) => {
      let pressed = ''
      caller.media.onKey((digit) => {
        pressed += digit
        if (pressed.length === 4) resolve(pressed)
      })
    })
    caller.acknowledge(await caller.invite(pressesDigits.number))
    pacer.start()
    expect(await keys).toBe('123#')
  })

  test('a number echoes every frame that it hears', async ({ onTestFinished }) => {
    const caller = await callPhone(onTestFinished)
    const level = 8031
    const echo = new Promise<void>((resolve) => {
      const pacer = createPacer({
        intervalMs: 20,
        monotonicMs: () => performance.now(),
        onTick() {
          const heard = caller.media.tick(new Int16Array(320).fill(level))
          if (Math.abs((heard[160] ?? 0) - level) < 300) resolve()
        },
      })
      onTestFinished(() => pacer.stop())
      pacer.start()
    })
    caller.acknowledge(await caller.invite(echoes.number))
    await echo
  })
})
