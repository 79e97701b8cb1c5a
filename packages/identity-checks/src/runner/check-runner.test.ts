import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLicenceDrawer } from '../../scripts/draw-licence.ts'
import { LICENCE, specimen, useMedia } from '../../test/media.ts'
import { CHECK_NAMES, type CheckName, type CheckResult, notRun } from '../check.ts'
import { decide } from '../decision/decide.ts'
import { DEFAULT_POLICY, DOCUMENT_ONLY_POLICY, type Policy } from '../decision/policy.ts'
import { type CheckRunner, type CheckRunnerOptions, createCheckRunner } from './check-runner.ts'
import type { JobTrouble } from './job-runner.ts'

const { folder, files } = useMedia()

/** Every check but these, which then are the only ones that run. */
const allBut = (...wanted: CheckName[]): CheckName[] => CHECK_NAMES.filter((name) => !wanted.includes(name))

interface Checked {
  known: readonly CheckName[]
  front?: string
  back?: string
}

/** Runs the checks of a document, by default a passport, and returns the code and outcome of each. */
async function check(
  runner: CheckRunner,
  { known, front = specimen('passport.jpg'), back: backImage }: Checked,
) {
  const results: CheckResult[] = []
  const { fields: extracted } = await runner.run({
    owner: 'a',
    files: { ...files(front), ...(backImage !== undefined && { backImage }) },
    today: '2026-11-21',
    known,
    tell: (result) => results.push(result),
  })
  const codes = Object.fromEntries(results.map(({ check, outcome, code }) => [check, `${outcome}: ${code}`]))
  return { results, codes, extracted }
}

/** As `check`, with limits of its own. Returns what went wrong too. */
async function checkWithin(limits: NonNullable<CheckRunnerOptions['limits']>, checked: Checked) {
  const troubles: JobTrouble[] = []
  await using runner = createCheckRunner({ places: 2, onTrouble: (one) => troubles.push(one), limits })
  return { ...(await check(runner, checked)), troubles }
}

/** As in docs/operate/templates.md. */
const OF_CARDS: Policy = {
  ...DOCUMENT_ONLY_POLICY,
  weights: { ...DOCUMENT_ONLY_POLICY.weights, mrz_checks: 'ignored' },
  anyOf: [['mrz_checks', 'barcode', 'document_template']],
}
const isThorough = thorough({ usual: false, long: true })

describe('a runner', { tags: 'ffmpeg' }, () => {
  let runner: CheckRunner
  beforeAll(() => {
    runner = createCheckRunner({ places: 2 })
  })
  afterAll(() => runner[Symbol.asyncDispose]())

  test('reports each result as it arrives, and returns the extracted fields', async () => {
    const { results, extracted } = await check(runner, {
      known: [],
      front: specimen('card-front.jpg'),
      back: specimen('card-back.jpg'),
    })
    expect(extracted).toMatchObject({
      full_name: 'ANNA MARIA ERIKSSON',
      document_number: 'L898902C3',
      sex: 'F',
    })
    const outcomes = Object.fromEntries(results.map(({ check, outcome }) => [check, outcome]))
    expect(outcomes).toEqual({
      document_quality: 'passed',
      document_recapture: 'passed',
      document_sides: 'passed',
      mrz_checks: 'passed',
      document_expiry: 'passed',
      video_motion: 'passed',
      printed_fields: 'passed',
      barcode: 'not_run',
      document_template: 'not_run',
      face_presence: 'not_run',
      liveness: 'not_run',
      face_match: 'not_run',
    })
    expect(CHECK_NAMES).toEqual(expect.arrayContaining(Object.keys(outcomes)))
  })

  test('ends a check that exceeds its time or memory as a warning, which never approves, and continues with the others', async () => {
    const hurried = { processorMs: 1, memoryMb: 1024 }
    const { results, codes, extracted, troubles } = await checkWithin(
      {
        document_quality: hurried,
        barcode: { processorMs: 10_000, memoryMb: 1 },
        printed_fields: hurried,
      },
      { known: ['document_recapture'] },
    )
    expect(codes).toMatchObject({
      document_quality: 'warning: check_timed_out',
      mrz_checks: 'passed: mrz_valid',
      barcode: 'warning: check_failed',
      document_expiry: 'passed: document_valid',
      printed_fields: 'warning: check_timed_out',
      video_motion: expect.stringContaining('passed'),
    })
    expect(extracted).toMatchObject({ document_number: 'L898902C3' })
    // Only what exceeds its memory is retried, because the others would take as long again.
    expect(troubles.map(({ job, end }) => [job, end])).toEqual([
      ['document_quality', 'timed_out'],
      ['barcode', 'failed'],
      ['barcode', 'failed'],
      ['printed_fields', 'timed_out'],
    ])
    const { decision, reasons } = decide(results, DEFAULT_POLICY)
    expect(decision).toBe('review')
    expect(reasons).toContainEqual(
      expect.objectContaining({ check: 'document_quality', code: 'check_timed_out', outcome: 'warning' }),
    )
  })

  test('takes the barcode of a licence for its machine-readable part', async () => {
    const front = path.join(folder, 'licence.png')
    const draw = await createLicenceDrawer()
    await writeFile(front, await draw(LICENCE))
    const known = allBut('mrz_checks', 'barcode', 'document_expiry')
    const { codes, results, extracted } = await check(runner, { front, known })
    expect(codes).toMatchObject({
      mrz_checks: 'not_run: barcode_instead',
      barcode: 'passed: barcode_read',
      document_expiry: 'passed: document_valid',
    })
    expect(extracted).toMatchObject({ document_type: 'DL', surname: 'SAMPLE' })
    const others = known.map((name): CheckResult => ({ ...notRun(name, 'tried'), outcome: 'passed' }))
    // Nothing is printed on the drawing beside its barcode.
    const read = results.filter(({ check: name }) => name !== 'printed_fields')
    const ofLast = new Map([...others, ...read].map((result) => [result.check, result]))
    expect(decide([...ofLast.values()], DEFAULT_POLICY).decision).toBe('approved')
    const withoutBarcode = [...ofLast.values()].filter(({ check: name }) => name !== 'barcode')
    expect(decide(withoutBarcode, DEFAULT_POLICY).decision).toBe('review')
  })

  test('reads a document without a zone by a template', async () => {
    const card = {
      front: specimen('citizenship-front.jpg'),
      back: specimen('citizenship-back.jpg'),
      known: allBut('mrz_checks', 'document_template', 'document_expiry', 'printed_fields'),
    }
    const read = await check(runner, card)
    expect(read.codes).toMatchObject({
      mrz_checks: 'warning: mrz_not_found',
      document_template: 'passed: fields_read',
      document_expiry: 'passed: never_expires',
      printed_fields: 'not_run: nothing_to_compare',
    })
    expect(read.extracted).toEqual({
      document_type: 'citizenship',
      document_number: '27-01-70-01234',
      full_name: 'SITA GURUNG',
      surname: null,
      given_names: null,
      date_of_birth: '1988-08-28',
      expiry_date: null,
      nationality: 'NPL',
      issuing_country: 'NPL',
      sex: 'F',
      mrz: null,
    })
    expect(JSON.stringify(read.results)).not.toMatch(/SITA|GURUNG|01234|1988/)
    const { decision, reasons } = decide(read.results, DEFAULT_POLICY)
    expect(decision).toBe('review')
    expect(reasons.map(({ check: name }) => name)).toContain('mrz_checks')

    const others = card.known.map((name): CheckResult => ({ ...notRun(name, 'tried'), outcome: 'passed' }))
    expect(decide([...others, ...read.results], OF_CARDS).decision).toBe('approved')
    const unread = read.results.filter(({ check: name }) => name !== 'document_template')
    expect(decide([...others, ...unread], OF_CARDS).decision).toBe('review')
  })

  test.runIf(isThorough)('ends the reading of a template that exceeds its time', async () => {
    const { codes, extracted } = await checkWithin(
      { document_template: { processorMs: 1, memoryMb: 1024 } },
      {
        front: specimen('citizenship-front.jpg'),
        known: allBut('mrz_checks', 'document_template', 'document_expiry', 'printed_fields'),
      },
    )
    expect(extracted).toBeNull()
    expect(codes['document_template']).toBe('warning: check_timed_out')
  })

  test('skips checks whose results are known, unless others need their findings', async () => {
    const { codes, extracted } = await check(runner, {
      known: allBut('document_expiry'),
    })
    expect(Object.keys(codes)).not.toContain('document_recapture')
    expect(Object.keys(codes)).not.toContain('video_motion')
    expect(codes['document_expiry']).toBe('passed: document_valid')
    expect(extracted).toMatchObject({ document_number: 'L898902C3' })
  })

  test('checks both sides for a recapture', async () => {
    const { results } = await check(runner, {
      known: allBut('document_recapture'),
      front: specimen('card-front.jpg'),
      back: specimen('passport-on-screen.jpg'),
    })
    expect(results).toContainEqual(
      expect.objectContaining({
        check: 'document_recapture',
        outcome: 'failed',
        code: 'recapture_suspected',
      }),
    )
  })

  test('detects a recapture in concurrent requests for the same picture', async () => {
    const image = specimen('passport-on-screen.jpg')
    const asked = Array.from({ length: thorough({ usual: 4, long: 6 }) }, () =>
      runner.checkRecapture({ owner: 'a', image }),
    )
    const results = await Promise.all(asked)
    expect(results.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'failed'))
    expect(new Set(results.map(({ score }) => score)).size).toBe(1)
  })

  test('re-encodes images, and refuses invalid ones with a code', async () => {
    const into = path.join(folder, 'opened.jpg')
    const { bytes, ...size } = await runner.openImage({ owner: 'a', file: specimen('passport.jpg'), into })
    expect(size).toEqual({ width: 1680, height: 1223 })
    expect(await readFile(into)).toHaveLength(bytes)
    const broken = path.join(folder, 'broken.jpg')
    await writeFile(broken, 'not a picture')
    await expect(runner.openImage({ owner: 'a', file: broken, into })).rejects.toMatchObject({
      name: 'MediaError',
      code: 'unknown_type',
    })
    await using hurried = createCheckRunner({
      places: 2,
      limits: { open_image: { processorMs: 1, memoryMb: 1024 } },
    })
    await expect(
      hurried.openImage({ owner: 'a', file: specimen('passport.jpg'), into }),
    ).rejects.toMatchObject({ name: 'MediaError', code: 'decoding_timeout' })
  })
})
