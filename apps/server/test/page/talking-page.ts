/** A page that speaks while one types, shifts the emotion, and can be interrupted. A test bundles it for Chromium. */
import { type SpeakOptions, Vaani } from '@vaani/client'
import { createPlayer } from '@vaani/pcm-audio/player'
import type { Talk } from './talk.ts'

const { apiKey = '', baseUrl = '' } = Object.fromEntries(new URL(import.meta.url).searchParams)
const find = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}`)
  return element
}
document.body.innerHTML =
  '<textarea id="text"></textarea><select id="emotion"><option>neutral<option>excited</select><button id="stop">Stop</button>'
const text = find('text', HTMLTextAreaElement)
const emotion = find('emotion', HTMLSelectElement)

const player = await createPlayer({ sampleRateHz: 16_000 })
const vaani = new Vaani({ apiKey, baseUrl })
const session = await vaani.realtime.synthesize({ voice: 'alt1' })

let typed = 0
text.addEventListener('input', () => {
  session.speak(text.value.slice(typed))
  typed = text.value.length
})
text.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') session.flush()
})
emotion.addEventListener('change', () =>
  session.setEmotion(emotion.value as NonNullable<SpeakOptions['emotion']>),
)

find('stop', HTMLButtonElement).addEventListener('click', () => {
  session.cancel()
  player.flush()
})

const talk: Talk = {
  heard: [],
  played: () => ({ playedMs: player.playedMs, bufferedMs: player.bufferedMs }),
}
globalThis.talk = talk
for await (const event of session) {
  if (event.type === 'audio') player.feed(event.samples)
  else talk.heard.push(event)
}
