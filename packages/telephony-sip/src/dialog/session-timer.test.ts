import { describe, expect, test } from 'vitest'
import { withAudio } from '../../test/support/scripted-trunk.ts'
import { talk } from '../../test/support/talk.ts'
import { headerOf, headersOf } from '../message/message.ts'

describe('a session timer', () => {
  test('ends the call if the far end, on which it is to refresh, does not', async () => {
    const { clock, heard } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    await clock.pass(59_000)
    expect(heard).toEqual([])
    await clock.pass(2000)
    expect(heard).toEqual(['ended carrier_error carrier'])
  })

  test('goes on when the far end refreshes', async () => {
    const { clock, heard, ask } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.pass(40_000)
      const [response] = await ask('UPDATE', { headers: [['session-expires', '90;refresher=uac']] })
      expect(response && headersOf(response, 'session-expires')).toEqual(['90;refresher=uac'])
    }
    expect(heard).toEqual([])
  })

  test('is refreshed by us halfway, if that is on us', async () => {
    const { clock, heard, asked } = await talk({
      answerHeaders: [['session-expires', '90;refresher=uac']],
      onRequest: () => {
        const { headers = [], ...parts } = withAudio()
        return { ...parts, headers: [...headers, ['session-expires', '90;refresher=uac']] }
      },
    })
    await clock.pass(200_000)
    expect(asked().filter(({ method }) => method === 'INVITE').length).toBeGreaterThanOrEqual(5)
    expect(heard.filter((line) => line.startsWith('ended'))).toEqual([])
  })

  test('that is too short is refused', async () => {
    const { ask } = await talk()
    const [response] = await ask('UPDATE', { headers: [['session-expires', '10']] })
    expect(response && [response.status, headerOf(response, 'min-se')]).toEqual([422, '90'])
  })

  test('is not shorter than what we ask for at least, whatever the 200 says', async () => {
    const { clock, heard } = await talk({ answerHeaders: [['session-expires', '1;refresher=uas']] })
    await clock.pass(59_000)
    expect(heard).toEqual([])
    await clock.pass(2000)
    expect(heard).toEqual(['ended carrier_error carrier'])
  })

  test('is refreshed with the interval that was agreed, and with the shortest one that the far end takes', async () => {
    let refreshes = 0
    const { clock, heard, asked } = await talk({
      answerHeaders: [['session-expires', '600;refresher=uac']],
      onRequest: () => {
        refreshes += 1
        if (refreshes === 1) return { status: 422, headers: [['min-se', '900']] }
        const { headers = [], ...parts } = withAudio()
        return { ...parts, headers: [...headers, ['session-expires', '900;refresher=uac']] }
      },
    })
    await clock.pass(800_000)
    const wishes = asked()
      .filter(({ method }) => method === 'INVITE')
      .map((invite) => [headerOf(invite, 'session-expires'), headerOf(invite, 'min-se')])
    expect(wishes).toEqual([
      ['1800', '90'],
      ['600;refresher=uac', '90'],
      ['900;refresher=uac', '900'],
      ['900;refresher=uac', '900'],
    ])
    expect(heard.filter((line) => line.startsWith('ended'))).toEqual([])
  })

  test('does not follow a far end that refuses ever longer intervals', async () => {
    let minimum = 1800
    const { call, clock, heard, asked } = await talk({
      onRequest: () => ({ status: 422, headers: [['min-se', String((minimum += 100))]] }),
    })
    const isHeld = call.setHold(true)
    await clock.pass(60_000)
    expect(await isHeld).toBe(false)
    expect(asked().filter(({ method }) => method === 'INVITE').length).toBeLessThan(6)
    expect(heard).toEqual([])
  })

  test('ends when a refresh of the far end asks for none', async () => {
    const { clock, heard, ask } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    const [response] = await ask('UPDATE')
    expect(response && headersOf(response, 'session-expires')).toEqual([])
    await clock.pass(600_000)
    expect(heard).toEqual([])
  })

  test('goes on as it was when an offer with another interval is refused', async () => {
    const { clock, heard, ask } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    const { headers = [], ...parts } = withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] })
    const longer = [...headers, ['session-expires', '1800;refresher=uac'] as const]
    expect(await ask('UPDATE', { ...parts, headers: longer })).toMatchObject([{ status: 488 }])
    await clock.pass(61_000)
    expect(heard).toEqual(['ended carrier_error carrier'])
  })
})
