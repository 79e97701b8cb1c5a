import { expect, test } from 'vitest'
import type { Spool, SpooledFile } from '../../spool/spool.ts'
import { createSpoolRoom } from './spool-room.ts'

function open(maxBytes = 100, maxSubmissions = 10) {
  const stand = { files: [] as SpooledFile[], list: async () => stand.files }
  const spool: Pick<Spool, 'list'> = {
    async *list() {
      yield* await stand.list()
    },
  }
  const room = createSpoolRoom({ spool: () => spool as Spool, maxBytes, maxSubmissions })
  return { stand, room }
}
const media = (pairId: string, bytes: number): SpooledFile => ({ pairId, kind: 'media', bytes })

test('takes nothing before it knows how full the spool is', async () => {
  const { room } = open()
  expect(room.reserve(1)).toBeNull()
  await room.refresh()
  expect(room.reserve(1)).not.toBeNull()
})

test('counts the bytes of what is there and of what is on its way', async () => {
  const { room, stand } = open()
  stand.files = [media('pair_1', 50), { pairId: 'pair_1', kind: 'entry', bytes: 10 }]
  await room.refresh()
  expect(room.usage()).toEqual({ bytes: 60, submissions: 1 })
  const one = room.reserve(30)
  expect(room.reserve(11)).toBeNull()
  one?.settle(false)
  expect(room.reserve(40)).not.toBeNull()
})

test('counts submissions', async () => {
  const { room, stand } = open(1000, 2)
  stand.files = [media('pair_1', 1)]
  await room.refresh()
  expect(room.reserve(1)).not.toBeNull()
  expect(room.reserve(1)).toBeNull()
})

test('a submission without a known length grows until the spool is full', async () => {
  const { room } = open()
  await room.refresh()
  const one = room.reserve(0)
  expect(one?.grow(60)).toBe(true)
  expect(room.reserve(50)).toBeNull()
  expect(one?.grow(100)).toBe(true)
  expect(one?.grow(101)).toBe(false)
})

test('what was stored counts until a listing that began later has seen it', async () => {
  const { room, stand } = open()
  await room.refresh()
  const listing = Promise.withResolvers<SpooledFile[]>()
  const one = room.reserve(60)
  stand.list = () => listing.promise
  const refreshing = room.refresh()
  one?.settle(true)
  listing.resolve([])
  await refreshing
  expect(room.usage()).toEqual({ bytes: 60, submissions: 1 })
  stand.list = async () => [media('pair_1', 60)]
  await room.refresh()
  expect(room.usage()).toEqual({ bytes: 60, submissions: 1 })
  stand.list = async () => []
  await room.refresh()
  expect(room.usage()).toEqual({ bytes: 0, submissions: 0 })
})
