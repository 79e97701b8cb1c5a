/** What the server prints once it listens. */
export function startText(options: {
  address: string
  /** The key that was made at this start, if one was. */
  firstKey: string | null
  /** Whether `VAANI_BOOTSTRAP_API_KEY` is set. It is never printed: output ends up in logs. */
  isKeyGiven: boolean
}): string {
  const { address, firstKey, isKeyGiven } = options
  if (firstKey !== null)
    return welcomeText(address, `Your API key, shown this once:\n\n  ${firstKey}`, firstKey)
  if (isKeyGiven)
    return welcomeText(
      address,
      'Your API key is the one in VAANI_BOOTSTRAP_API_KEY.',
      '$VAANI_BOOTSTRAP_API_KEY',
    )
  return runningText(address)
}

const NEW_KEY = `To replace a lost key, or to make the first key for live traffic:

  npm start -- --new-key
  npm start -- --new-key --live

(with the published package: npx @vaani/server --new-key)`

/** Three commands to paste. */
function welcomeText(address: string, intro: string, key: string): string {
  const auth = `-H "Authorization: Bearer ${key}"`
  const json = `-H "Content-Type: application/json"`
  return `
Vaani is running at ${address}

${intro}

Hear a stream (then play hello.wav):

  curl -sS ${address}/v1/audio/stream ${auth} ${json} -H "Accept: audio/wav" -d '{"model":"stream-tts","input":"Hello! This is Vaani speaking. नमस्ते!","voice":"nova"}' -o hello.wav

Place a call (to the loopback phone: a simulator, no real phone rings):

  curl -sS ${address}/agent/calls ${auth} ${json} -d '{"to":"+9779812345678","agent_id":"reminder","language":"en-US","metadata":{"name":"Sita"}}' | tee call.json

Read it, and after about ten seconds hear what was said (call.wav):

  CALL=$(grep -o 'call_[0-9][0-9a-z]*' call.json | head -1); curl -sS ${address}/agent/calls/$CALL ${auth}; sleep 10; curl -sS ${address}/agent/calls/$CALL/recording ${auth} -o call.wav; curl -sS ${address}/agent/calls/$CALL ${auth}

${NEW_KEY}

`
}

function runningText(address: string): string {
  return `
Vaani is running at ${address}

Use the API key of the first start; it is not kept and cannot be shown again. ${NEW_KEY}

To begin anew, stop the server and delete its data directory.

`
}
