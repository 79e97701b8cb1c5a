import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../../../interop/state-machines.json' with { type: 'json' }
import { CALL_EVENT_TYPES } from '../calls/events.ts'
import { CALL_EVENT_ACTORS, CALL_STATUSES, CALL_TRANSITIONS } from '../calls/states.ts'
import { VERIFICATION_EVENT_TYPES } from '../identity/events.ts'
import {
  VERIFICATION_EVENT_ACTORS,
  VERIFICATION_STATUSES,
  VERIFICATION_TRANSITIONS,
} from '../identity/states.ts'
import { BATCH_EVENT_ACTORS, BATCH_STATUSES, BATCH_TRANSITIONS } from '../batches/states.ts'
import { DOCUMENT_EVENT_ACTORS, DOCUMENT_STATUSES, DOCUMENT_TRANSITIONS } from '../models/document-states.ts'
import { type Actor, isTerminal, listTransitions, transition, type TransitionTable } from './state-machine.ts'

interface Machine {
  table: TransitionTable<string>
  actors: Readonly<Record<string, Actor>>
  statuses: readonly string[]
}
const MACHINES: Readonly<Record<string, Machine>> = {
  call: { table: CALL_TRANSITIONS, actors: CALL_EVENT_ACTORS, statuses: CALL_STATUSES },
  verification: {
    table: VERIFICATION_TRANSITIONS,
    actors: VERIFICATION_EVENT_ACTORS,
    statuses: VERIFICATION_STATUSES,
  },
  batch: { table: BATCH_TRANSITIONS, actors: BATCH_EVENT_ACTORS, statuses: BATCH_STATUSES },
  document: { table: DOCUMENT_TRANSITIONS, actors: DOCUMENT_EVENT_ACTORS, statuses: DOCUMENT_STATUSES },
}
const moves = ({ table }: Machine) => [
  ...new Set(listTransitions(table).map(({ from, to }) => `${from} → ${to}`)),
]

test('every machine is in the interop vectors', () => {
  expect(vectors.map(({ name }) => name)).toEqual(Object.keys(MACHINES))
})

for (const { name, initial, terminal, actors, steps } of vectors) {
  const machine = MACHINES[name]!
  const { table, statuses } = machine
  const events = [...new Set(listTransitions(table).map(({ event }) => event))]

  test(`${name}: every state and event leads to the state in the vectors`, () => {
    expect(steps.length).toBe(statuses.length * events.length)
    for (const { from, event, to } of steps) expect(transition(table, from, event)).toBe(to)
  })

  test(`${name}: each event has one kind of actor, so a person cannot take a worker's step`, () => {
    expect(machine.actors).toEqual(actors)
    expect(Object.keys(actors).toSorted()).toEqual(events.toSorted())
  })

  test(`${name}: the table has all states, and the terminal ones have no events`, () => {
    expect(Object.keys(table).toSorted()).toEqual([...statuses].toSorted())
    expect(statuses.filter((status) => isTerminal(table, status)).toSorted()).toEqual(terminal.toSorted())
  })

  test(`${name}: any long run of events leads from the initial state to a terminal one`, () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.constantFrom(...events)), (stream) => {
        let state = initial
        for (const event of stream.take(200)) state = transition(table, state, event) ?? state
        expect(terminal).toContain(state)
      }),
    )
  })

  test(`${name}: an unknown event is rejected`, () => {
    for (const state of statuses)
      for (const event of ['', 'unknown', 'toString', '__proto__', 'constructor'])
        expect(transition(table, state, event)).toBeNull()
  })
}

test('calls move as specified, and from queued to failed if nobody answers', () => {
  const specified = ['queued → in-progress', 'in-progress → completed', 'in-progress → failed']
  expect(moves(MACHINES['call']!).toSorted()).toEqual([...specified, 'queued → failed'].toSorted())
})

test('verifications move as specified, and out of review by a decision', () => {
  const specified = ['pending → approved', 'pending → declined', 'pending → review']
  const beyond = ['review → approved', 'review → declined']
  expect(moves(MACHINES['verification']!).toSorted()).toEqual([...specified, ...beyond].toSorted())
})

test('every status of a call has an event, and every status of a verification that ends its checks', () => {
  expect(Object.keys(CALL_EVENT_TYPES)).toEqual([...CALL_STATUSES])
  const ended = VERIFICATION_STATUSES.filter((status) => status !== 'pending')
  expect(Object.keys(VERIFICATION_EVENT_TYPES).toSorted()).toEqual(ended.toSorted())
})
