import path from 'node:path'
import type { Config } from './features.ts'
import { addVoice } from './features/speech/add-voice/add-voice.ts'
import { listVoices } from './features/speech/add-voice/list-voices.ts'
import { quote } from './features/speech/add-voice/quote.ts'
import { readVoiceRequest, type VoiceOptions } from './features/speech/add-voice/voice-request.ts'

/** Prints the neural voices that are known and which are added. @throws ConfigError if the engines' file is invalid */
export const printVoices = async (config: Config, print: (text: string) => void): Promise<void> =>
  print(await listVoices(config))

/**
 * Adds a neural voice, and prints each step and what to do next.
 *
 * @throws AddVoiceError, ConfigError; nothing is changed then
 */
export async function printAddedVoice(
  config: Config,
  options: { name: string; voice: VoiceOptions; signal: AbortSignal; print: (text: string) => void },
): Promise<void> {
  const { name, voice, signal, print } = options
  const request = readVoiceRequest(name, voice)
  const { file, folder, order } = await addVoice(request, { settings: config, signal, print })
  const [language] = request.languages
  const tag = typeof language === 'string' ? language : language?.tag
  print(`
${name} is in ${folder}, and ${file} asks for ${tag}, in this order: ${order.join(', ')}.

Licence: ${request.licence ?? 'look for it in the archive'}. sherpa-onnx contains eSpeak NG, which is under GPL-3.0-or-later.

Restart the server; its first lines say which voices speak.${hintFor(config, file)}
`)
}

/** A server in another place needs the setting. */
const hintFor = ({ speechEnginesFile }: Config, file: string): string =>
  speechEnginesFile === undefined
    ? ` With another data directory, also set
  VAANI_SPEECH_ENGINES_FILE=${quote(path.resolve(file))}`
    : ''
