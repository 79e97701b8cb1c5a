import { expect, test } from 'vitest'
import {
  readMinSe,
  readRAck,
  readRetryAfter,
  readRSeq,
  readSeconds,
  readSessionExpires,
} from './numeric-headers.ts'
import { q850CauseOf } from './reason.ts'

test('reads seconds, whatever stands behind them', () => {
  expect(readSeconds(' 3600 ')).toBe(3600)
  expect(readRetryAfter('18000;duration=3600')).toBe(18_000)
  expect(readRetryAfter('120 (I am in a meeting)')).toBe(120)
  expect(readMinSe('90;x=y')).toBe(90)
  expect(readSessionExpires('1800;refresher=UAS')).toEqual({ seconds: 1800, refresher: 'uas' })
  expect(readSessionExpires('1800;refresher=both')).toEqual({ seconds: 1800 })
})

test('reads RSeq and RAck', () => {
  expect(readRSeq('988789')).toBe(988_789)
  expect(readRAck('776656  1 INVITE')).toEqual({ rseq: 776_656, sequence: 1, method: 'INVITE' })
})

test.each(['', '-1', '1.5', '1e3', '0x10', 'soon', '4294967296', '949302838503028349304023988'])(
  'takes %j for no number',
  (value) => {
    expect(readSeconds(value)).toBeUndefined()
    expect(readRetryAfter(value)).toBeUndefined()
    expect(readMinSe(value)).toBeUndefined()
    expect(readSessionExpires(value)).toBeUndefined()
    expect(readRSeq(value)).toBeUndefined()
    expect(readRAck(`${value} 1 INVITE`)).toBeUndefined()
  },
)

test('takes broken parameters and parts for no value', () => {
  expect(readSessionExpires('1800;;')).toBeUndefined()
  expect(readRAck('1 1')).toBeUndefined()
  expect(readRAck('1 2147483648 INVITE')).toBeUndefined()
  expect(readRAck('1 1 INVITE x')).toBeUndefined()
})

const causeOf = (...reasons: readonly string[]) =>
  q850CauseOf({ headers: reasons.map((value) => ['reason', value] as const) })

test('finds the first readable Q.850 cause', () => {
  expect(causeOf('SIP;cause=487', 'q.850 ; cause=16;text="Normal, call clearing"')).toBe(16)
  expect(causeOf('Q.850;cause=128', 'Q.850;text="', 'Q.850', 'Q.850;cause=17')).toBe(17)
  expect(causeOf('SIP;cause=200')).toBeUndefined()
  expect(causeOf()).toBeUndefined()
})
