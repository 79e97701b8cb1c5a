import { contract } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, defineSettings } from '../settings/define-settings.ts'
import type { Events } from '../telemetry/events.ts'
import { type Counter, createMeter, type Meter } from '../telemetry/meter.ts'
import { NO_TRACES, type Tracer } from '../telemetry/tracer.ts'
import { defineFeature } from './define-feature.ts'
import { listFeatures } from './list-features.ts'

interface Base {
  clock: { nowMs: () => number }
}

const serviceSettings = defineSettings({ PORT: z.coerce.number() }, ({ PORT }) => ({ port: PORT }))
const base: Base = { clock: { nowMs: () => 7 } }

const declareAsked = (meter: Meter) => ({
  asked: meter.counter({ name: 'vaani_timer_asked_total', help: 'Times that it was asked' }),
})

const declareRung = (tracer: Tracer) => ({
  rung: tracer.declare({ name: 'timer.rung', kind: 'internal', fields: {} }),
})

const timer = defineFeature({
  name: 'timer',
  contract: { agents: contract.agents },
  settings: defineSettings({ STEP: z.coerce.number() }, ({ STEP }) => ({ step: STEP })),
  migrations: { '0002-timer': { up: async () => undefined } },
  events: ['timer_asked'],
  metrics: declareAsked,
  spans: declareRung,
  translate: () => null,
  async start({
    clock,
    settings,
    events,
    metrics,
    spans,
  }: Base & {
    settings: { step: number }
    events: Events<'timer_asked'>
    metrics: { asked: Counter }
    spans: ReturnType<typeof declareRung>
  }) {
    const port = {
      next() {
        events.record('timer_asked')
        metrics.asked.add({})
        spans.rung.startTrace({})?.end()
        return clock.nowMs() + settings.step
      },
    }
    return { mounts: [], port }
  },
})
const bell = defineFeature({
  name: 'bell',
  contract: { system: contract.system },
  migrations: { '0001-bell': { up: async () => undefined } },
  start: async ({ timer }: { timer: { next(): number } }) => ({
    mounts: [],
    port: { rings: () => timer.next() },
    sweeps: { 'old rings': async () => undefined },
  }),
})

const quiet = defineFeature({
  name: 'quiet',
  contract: {},
  start: async () => ({ mounts: [], port: undefined }),
})

test('a feature gets its settings, events, metrics and spans, and the ports of those before it', async () => {
  const list = listFeatures<Base, { port: number }>(serviceSettings).with(timer).with(bell)
  const settings = list.settings.read({ PORT: '80', STEP: '3' })
  const recorded: string[] = []
  const started: unknown[] = []
  const meter = createMeter()
  const spans: string[] = []
  const noting: Tracer = {
    isOn: true,
    declare({ name }) {
      return {
        ...NO_TRACES.declare({ name, kind: 'internal', fields: {} }),
        startTrace: () => (spans.push(name), null),
      }
    },
  }
  const ports = await list.start(base, {
    settings,
    events: { record: (event) => recorded.push(event) },
    meter,
    tracer: noting,
    onStarted: ({ sweeps = {} }) => started.push(Object.keys(sweeps)),
  })
  expect(settings).toEqual({ port: 80, step: 3 })
  expect(ports.bell.rings()).toBe(10)
  expect(recorded).toEqual(['timer_asked'])
  expect(await meter.registry.metrics()).toContain('vaani_timer_asked_total 1')
  expect(spans).toEqual(['timer.rung'])
  expect(started).toEqual([[], ['old rings']])
  expect(Object.keys(list.contract)).toEqual(['agents', 'system'])
  expect(Object.keys(list.migrations).toSorted()).toEqual(['0001-bell', '0002-timer'])
})

test('a feature does not compile before the one whose port it takes', () => {
  // @ts-expect-error `bell` takes the port of `timer`.
  const early = listFeatures<Base, { port: number }>(serviceSettings).with(bell)
  expect(early.events).toEqual([])
})

test('two features may not share a variable or the number of a migration', () => {
  const list = listFeatures<Base, { port: number }>(serviceSettings).with(timer)
  expect(() => list.with({ ...timer, migrations: {} })).toThrow('Two parts declare the variable STEP')
  const later = defineFeature({
    name: 'later',
    contract: {},
    migrations: { '0002-later': { up: async () => undefined } },
    start: async () => ({ mounts: [], port: undefined }),
  })
  expect(() => list.with(later)).toThrow('Two migrations have the number 0002')
})

test('what settings name is checked for all features, and one error has all that is wrong', async () => {
  const failing = (name: string, error: Error) =>
    defineFeature({
      name,
      contract: {},
      settings: defineSettings({}, () => ({})),
      check: () => Promise.reject(error),
      start: () => Promise.reject(new Error('was started')),
    })
  const list = listFeatures<Base, { port: number }>(serviceSettings)
  const wrong = list
    .with(failing('one', new ConfigError('ONE is not JSON')))
    .with(quiet)
    .with(failing('two', new ConfigError('TWO cannot be read')))
  await expect(wrong.check({ port: 80 })).rejects.toThrow(
    new ConfigError('ONE is not JSON; TWO cannot be read'),
  )
  await expect(list.with(failing('one', new TypeError('bug'))).check({ port: 80 })).rejects.toThrow('bug')
  await expect(list.with(quiet).check({ port: 80 })).resolves.toBeUndefined()
})

test('an error in the settings names the variables of all features', () => {
  const list = listFeatures<Base, { port: number }>(serviceSettings).with(timer)
  expect(() => list.settings.read({ PORT: 'hunter2', STEP: 'x' })).toThrow(/^PORT .*; STEP .*/)
  expect(() => list.settings.read({ PORT: 'hunter2', STEP: 'x' })).not.toThrow('hunter2')
})
