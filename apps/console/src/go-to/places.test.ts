import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { placeIn, WITHOUT_PLACE, withoutPlaceIn } from './places.ts'

const BODY = '01kamx3v6pf9hr2x8c0q5d7etn'

test.each([
  [`call_${BODY}`, `/calls/call_${BODY}`],
  [`{"verification_id":"ver_${BODY}"}`, `/verifications/ver_${BODY}`],
  [`dep_${BODY}`, `/deployments/dep_${BODY}`],
  [`mem_${BODY}`, `/members/mem_${BODY}`],
  [`sent dlv_${BODY}.`, `/webhooks/deliveries/dlv_${BODY}`],
  [`webhook-id: evt_${BODY}`, `/webhooks?event_id=evt_${BODY}`],
  [`404 call_not_found (request req_${BODY})`, `/requests?request_id=req_${BODY}`],
])('finds where %s is shown', (text, path) => {
  expect(placeIn(text)?.path).toBe(path)
})

test.each([`rev_${BODY}`, `call_${BODY}1`, 'call_1', `CALL_${BODY}`, `toString_${BODY}`, ''])(
  'finds no page of %j',
  (text) => {
    expect(placeIn(text)).toBeNull()
  },
)

test('every kind of id in the contract has a page, or words that say why not', async () => {
  const contract = new URL('../../../../packages/contracts/src/', import.meta.url)
  const groups = await Array.fromAsync(glob('*/group.ts', { cwd: contract }), (file) =>
    readFile(new URL(file, contract), 'utf8'),
  )
  const tables = groups.flatMap(
    (group) => /^ {2}ids: \{(?<table>[^}]*)\}/m.exec(group)?.groups?.['table'] ?? [],
  )
  const declared = tables.flatMap((table) =>
    Array.from(table.matchAll(/'([a-z]+_)'/g), ([, prefix]) => prefix),
  )
  expect(declared.length).toBeGreaterThan(15)
  for (const prefix of ['req_', ...declared])
    expect({
      prefix,
      isKnown: placeIn(`${prefix}${BODY}`) !== null || withoutPlaceIn(`${prefix}${BODY}`) !== undefined,
    }).toEqual({ prefix, isKnown: true })
  expect(declared).toEqual(expect.arrayContaining([...WITHOUT_PLACE]))
})
