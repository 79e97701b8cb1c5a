/** What the first start says: the key, once, and three commands to paste. */
export function welcomeText(options: { address: string; key: string }): string {
  const { address, key } = options
  const auth = `-H "Authorization: Bearer ${key}"`
  const json = `-H "Content-Type: application/json"`
  return `
Vaani is running at ${address}

Your API key, shown this once:

  ${key}

Hear a stream (then play hello.wav):

  curl -sS ${address}/v1/audio/stream ${auth} ${json} -H "Accept: audio/wav" -d '{"model":"stream-tts","input":"Hello! This is Vaani speaking. नमस्ते!","voice":"nova"}' -o hello.wav

Place a call (to the loopback phone: a simulator, no real phone rings):

  curl -sS ${address}/agent/calls ${auth} ${json} -d '{"to":"+9779812345678","agent_id":"reminder","language":"en-US","metadata":{"name":"Sita"}}' | tee call.json

Read it, and after about ten seconds hear what was said (call.wav):

  CALL=$(grep -o 'call_[0-9][0-9a-z]*' call.json | head -1); curl -sS ${address}/agent/calls/$CALL ${auth}; sleep 10; curl -sS ${address}/agent/calls/$CALL/recording ${auth} -o call.wav; curl -sS ${address}/agent/calls/$CALL ${auth}

`
}

/** What a later start says: the key is not kept, so it cannot be shown again. */
export function runningText(address: string): string {
  return `
Vaani is running at ${address}

Use the API key of the first start; it is not kept and cannot be shown again. To begin anew, stop the server and
delete its data directory.

`
}
