/** Runs our server and a webhook receiver until standard input closes. Prints the settings that the tour needs. */
import { specimenPath, startReceiver, startVaani } from '@vaani/testing'

await using receiver = await startReceiver()
await using vaani = await startVaani({ environment: { VAANI_IDENTITY_POLICY: 'document-only' } })
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
