/** A page that uses our client from a different origin than the server's. `cors.e2e.ts` bundles it for Chromium. */
import { ApiError, ConnectionError, Vaani } from '@vaani/client'

async function visit({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) {
  const vaani = new Vaani({ apiKey, baseUrl, maxRetries: 0 })
  try {
    const { data: agents, requestId } = await vaani.agents.list().withResponse()
    const request = { to: '+9779812345678', agent_id: agents.data[0]?.agent_id ?? '' }
    const options = { idempotencyKey: 'page-of-other-origin' }
    await vaani.calls.place(request, options)
    const again = await vaani.calls.place(request, options).withResponse()
    const refusal: unknown = await vaani.calls.retrieve('call_1').catch((error: unknown) => error)
    const stranger = new Vaani({ apiKey: 'sk_test_0123456789abcdefghijklmnop', baseUrl, maxRetries: 0 })
    const unknownKey: unknown = await stranger.calls.list().catch((error: unknown) => error)
    const speech = await vaani.speech.stream({ input: 'Good morning.', voice: 'nova' })
    const frames = await Array.fromAsync(speech)
    return {
      reached: true,
      requestId,
      replayed: again.replayed,
      codes: [refusal, unknownKey].map((error) => ApiError.isInstance(error) && error.code),
      sampleRateHz: speech.descriptor.sample_rate_hz,
      hasFrames: frames.length > 0,
    }
  } catch (error) {
    if (ConnectionError.isInstance(error)) return { reached: false }
    throw error
  }
}

// The options come in the query; the result goes back to the page's own site.
const { apiKey = '', baseUrl = '' } = Object.fromEntries(new URL(import.meta.url).searchParams)
const seen = await visit({ apiKey, baseUrl }).catch((error: unknown) => ({ error: String(error) }))
await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) })
