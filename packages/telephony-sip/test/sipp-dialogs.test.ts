import { describe, expect, test } from 'vitest'
import { openSignalling } from './support/open-signalling.ts'
import {
  receive,
  receiveInviteOfDialog,
  receiveInviteToAnswerLater,
  receiveResponse,
  request,
  respond,
  respondToInvite,
  respondWithin,
  type SippStep,
} from './support/sipp-scenario.ts'
import type { OnFinished } from './support/softphone-line.ts'
import { startSipp } from './support/start-sipp.ts'

async function callSipp(onFinished: OnFinished, steps: readonly SippStep[]) {
  const sipp = await startSipp(onFinished, steps)
  const place = await openSignalling(onFinished, sipp.port)
  return { ...place(), exitCode: sipp.exitCode }
}

const ANSWERS = [receive('INVITE'), respond(180), respond(200, { hasAudio: true }), receive('ACK')]
const ENDS = [receive('BYE'), respondWithin(200)]

describe.concurrent('sipp as the far end', { tags: 'sipp' }, () => {
  test('gets the PRACK of its reliable 183, whose answer counts', async ({ onTestFinished }) => {
    const headers = ['Require: 100rel', 'RSeq: 5']
    const { call, heard, hears, exitCode } = await callSipp(onTestFinished, [
      receiveInviteToAnswerLater,
      respond(183, { hasAudio: true, headers }),
      receive('PRACK'),
      respondWithin(200),
      respondToInvite(200),
      receive('ACK'),
      ...ENDS,
    ])
    await hears('answered')
    call.hangUp()
    expect(await exitCode).toBe(0)
    expect(heard).toEqual(['ringing', 'media sendrecv', 'answered', 'ended completed agent'])
  })

  test('is held and resumed by us', async ({ onTestFinished }) => {
    const { call, heard, hears, exitCode } = await callSipp(onTestFinished, [
      ...ANSWERS,
      receive('INVITE'),
      respondWithin(200, 'recvonly'),
      receive('ACK'),
      receive('INVITE'),
      respondWithin(200, 'sendrecv'),
      receive('ACK'),
      ...ENDS,
    ])
    await hears('answered')
    expect(await call.setHold(true)).toBe(true)
    expect(await call.setHold(false)).toBe(true)
    call.hangUp()
    expect(await exitCode).toBe(0)
    expect(heard.slice(1)).toEqual([
      'media sendrecv',
      'answered',
      'media sendonly',
      'media sendrecv',
      'ended completed agent',
    ])
  })

  test('refuses our hold, and the call goes on', async ({ onTestFinished }) => {
    const { call, heard, hears, exitCode } = await callSipp(onTestFinished, [
      ...ANSWERS,
      receive('INVITE'),
      respondWithin(488),
      receive('ACK'),
      ...ENDS,
    ])
    await hears('answered')
    expect(await call.setHold(true)).toBe(false)
    call.hangUp()
    expect(await exitCode).toBe(0)
    expect(heard.at(-1)).toBe('ended completed agent')
  })

  test('holds and resumes us, and hangs up', async ({ onTestFinished }) => {
    const { heard, hears, exitCode } = await callSipp(onTestFinished, [
      receiveInviteOfDialog,
      respond(180),
      respond(200, { hasAudio: true }),
      receive('ACK'),
      request('INVITE', { sequence: 1, direction: 'sendonly' }),
      receiveResponse(200),
      request('ACK', { sequence: 1 }),
      request('INVITE', { sequence: 2, direction: 'sendrecv' }),
      receiveResponse(200),
      request('ACK', { sequence: 2 }),
      request('BYE', { sequence: 3 }),
      receiveResponse(200),
    ])
    await hears('ended')
    expect(await exitCode).toBe(0)
    expect(heard.slice(1)).toEqual([
      'media sendrecv',
      'answered',
      'media recvonly',
      'media sendrecv',
      'ended completed callee',
    ])
  })

  test('answers twice, as two forks: the second is hung up', async ({ onTestFinished }) => {
    const { heard, hears, exitCode } = await callSipp(onTestFinished, [
      receive('INVITE'),
      respond(180, { tag: 'one' }),
      respond(180, { tag: 'two' }),
      respond(200, { hasAudio: true, tag: 'one' }),
      respond(200, { hasAudio: true, tag: 'two' }),
      receive('ACK'),
      receive('ACK'),
      ...ENDS,
    ])
    await hears('answered')
    expect(await exitCode).toBe(0)
    expect(heard).toEqual(['ringing', 'media sendrecv', 'answered'])
  })
})
