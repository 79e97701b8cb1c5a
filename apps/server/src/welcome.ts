/** Returns the text that the server prints once it is ready. */
export function startText(options: {
  address: string
  /** The key created at this start, if any. */
  firstKey: string | null
  /** Whether `VAANI_BOOTSTRAP_API_KEY` is set. It is never printed: output ends up in logs. */
  isKeyGiven: boolean
  /** Secret of a link that opens the console signed in, once; null if no key could be used. */
  consoleLink: string | null
  /** The sentence that says which engine speaks which languages. */
  voices: string
}): string {
  const { firstKey, isKeyGiven } = options
  if (firstKey !== null)
    return welcomeText(options, `Your API key, shown only once:\n\n  export KEY=${firstKey}`)
  if (isKeyGiven)
    return welcomeText(
      options,
      'Your API key is the one in VAANI_BOOTSTRAP_API_KEY:\n\n  export KEY="$VAANI_BOOTSTRAP_API_KEY"',
    )
  return runningText(options)
}

/** What starts this server: in a clone it runs from its sources. */
const COMMAND = import.meta.filename.endsWith('.ts') ? 'npm start --' : 'npx @vaani/server'

const NEW_KEY = `To replace a lost key, or to create the first key for live traffic:

  ${COMMAND} --new-key
  ${COMMAND} --new-key --live`

interface Place {
  address: string
  consoleLink: string | null
  voices: string
}

/** Returns where the server is, and how to open its pages. */
const placeText = ({ address, consoleLink, voices }: Place): string => `
Vaani is running at ${address}. Every route, to read and to try: ${address}/docs
${voices}

See it and hear it in the console${
  consoleLink === null
    ? `:\n\n  ${address}/console`
    : `. This link signs you in, once, within ten minutes, on this machine:\n\n  ${address}/console#link=${consoleLink}`
}
`

/** Returns commands to paste, in order. Each ends its output with a line break. */
function welcomeText(place: Place, key: string): string {
  const { address } = place
  const auth = `-H "Authorization: Bearer $KEY"`
  const save = `curl -sS ${auth}`
  const curl = `${save} -w '\\n'`
  const json = `-H "Content-Type: application/json"`
  return `${placeText(place)}
${key}

Hear a stream (then play hello.wav):

  ${save} ${address}/v1/audio/stream ${json} -H "Accept: audio/wav" -d '{"model":"stream-tts","input":"Hello! This is Vaani speaking. नमस्ते!","voice":"nova"}' -o hello.wav

Place a call (to a simulator: no real phone rings):

  ${curl} ${address}/agent/calls ${json} -d '{"to":"+9779812345678","agent_id":"reminder","language":"en-US","metadata":{"name":"Sita"}}' | tee call.json

Read it, and after about ten seconds fetch its recording (call.wav):

  CALL=$(grep -o 'call_[0-9][0-9a-z]*' call.json | head -1); ${curl} ${address}/agent/calls/$CALL; sleep 10; ${save} ${address}/agent/calls/$CALL/recording -o call.wav; ${curl} ${address}/agent/calls/$CALL

Verify an identity (with a specimen card; with a test key, external_id determines the result), and read the result
(to compare faces, start with VAANI_FACE_ENGINE=face-api VAANI_IDENTITY_POLICY=document-and-face):

  curl -sS --remote-name-all ${address}/docs/specimens/{card-front.jpg,card-back.jpg,liveness.mp4}
  ${curl} ${address}/identity/kyc/v1 -F external_id=test_approved -F front_image=@card-front.jpg -F back_image=@card-back.jpg -F liveness_video=@liveness.mp4 | tee verification.json
  sleep 3; ${curl} ${address}/identity/verifications/$(grep -o 'ver_[0-9][0-9a-z]*' verification.json | head -1)

${NEW_KEY}

`
}

function runningText(place: Place): string {
  return `${placeText(place)}
Use the API key of the first start; it is not stored and cannot be shown again. ${NEW_KEY}

To start over, stop the server and delete its data directory.

`
}
