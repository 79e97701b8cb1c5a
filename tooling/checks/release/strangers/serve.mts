/** Runs our server and a webhook receiver until standard input closes. Prints the settings that the tour needs. */
import { specimenPath, startReceiver, startVaani } from '@vaani/testing'

await using receiver = await startReceiver()
await using vaani = await startVaani({ environment: { VAANI_IDENTITY_POLICY: 'document-only' } })
// The tour is taken several times a day.
const headers = { authorization: `Bearer ${vaani.key}`, 'content-type': 'application/json' }
const accounts = await (await fetch(`${vaani.url}/admin/accounts`, { headers })).json()
const patched = await fetch(`${vaani.url}/admin/accounts/${accounts.data[0].account_id}`, {
  method: 'PATCH',
  headers,
  body: JSON.stringify({ rate_overrides: { voice_cloning: { limit: 100, period_seconds: 86_400 } } }),
})
if (!patched.ok) throw new Error(`The limit could not be raised: ${patched.status}`)
console.log(
  JSON.stringify({
    BASE_URL: vaani.url,
    API_KEY: vaani.key,
    RECEIVER_URL: `${receiver.url}/hooks`,
    IMAGE_FILE: specimenPath('passport.jpg'),
    VIDEO_FILE: specimenPath('liveness.mp4'),
  }),
)
for await (const _ of process.stdin);
