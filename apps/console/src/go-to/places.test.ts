import { expect, test } from 'vitest'
import { placeIn } from './places.ts'

const BODY = '01kamx3v6pf9hr2x8c0q5d7etn'

test.each([
  [`call_${BODY}`, `/calls/call_${BODY}`],
  [`{"verification_id":"ver_${BODY}"}`, `/verifications/ver_${BODY}`],
  [`dep_${BODY}`, `/deployments/dep_${BODY}`],
  [`mem_${BODY}`, `/members/mem_${BODY}`],
  [`sent dlv_${BODY}.`, `/webhooks/deliveries/dlv_${BODY}`],
  [`404 call_not_found (request req_${BODY})`, `/requests?request_id=req_${BODY}`],
])('finds where %s is shown', (text, path) => {
  expect(placeIn(text)?.path).toBe(path)
})

test.each([`evt_${BODY}`, `call_${BODY}1`, 'call_1', `CALL_${BODY}`, `toString_${BODY}`, ''])(
  'finds no page of %j',
  (text) => {
    expect(placeIn(text)).toBeNull()
  },
)
